import type { CallRun } from '../../contract/changes/call-run.ts'
import type { Queryable } from '../pool.ts'

/** A call that is to be made: the payload that was approved, as it is stored. */
export type ApprovedCall = {
  call_id: string
  space_id: string
  agent_id: string
  turn_id: string | null
  pending_change_id: string
  payload: string
}

type Ending = Pick<CallRun, 'error' | 'result_id'> & { state: 'done' | 'failed' | 'unknown' }

const columns = 'state, error, result_id, started_at, ended_at'

/** How calls of outside tools went. */
export function createCallRunsRepo(db: Queryable) {
  return {
    async listByIds(ids: readonly string[]): Promise<(CallRun & { call_id: string })[]> {
      const { rows } = await db.query<CallRun & { call_id: string }>(
        `select call_id, ${columns} from call_runs where call_id = any($1)`,
        [ids],
      )
      return rows
    },

    async isAnyOpen(): Promise<boolean> {
      const { rows } = await db.query(
        `select from call_runs where state in ('approved', 'running') limit 1`,
        [],
      )
      return rows.length > 0
    },

    /** Those that were running when the server that ran them ended. */
    async listRunning(): Promise<string[]> {
      const { rows } = await db.query<{ call_id: string }>(
        `select call_id from call_runs where state = 'running' order by created_at`,
        [],
      )
      return rows.map(({ call_id }) => call_id)
    },

    /** Marks the one approved first as running; `null` when none waits. It is nobody else's from then on. */
    async claim(now: Date): Promise<ApprovedCall | null> {
      const { rows } = await db.query<ApprovedCall>(
        `with claimed as (
           update call_runs
           set state = 'running', started_at = $1
           where call_id = (
             select call_id
             from call_runs
             where state = 'approved'
             order by created_at, call_id
             limit 1
             for update skip locked
           ) and state = 'approved'
           returning call_id
         )
         select claimed.call_id, draft.space_id, draft.agent_id, draft.turn_id, draft.id as pending_change_id,
                draft.payload
         from claimed
         join pending_changes draft
           on draft.entity_id = claimed.call_id and draft.action = 'call' and draft.status = 'approved'`,
        [now],
      )
      return rows[0] ?? null
    },

    /** Ends one that is running; whether it was. */
    async end(callId: string, { state, error, result_id }: Ending, now: Date): Promise<boolean> {
      const { rows } = await db.query(
        `update call_runs
         set state = $2, error = $3, result_id = $4, ended_at = $5
         where call_id = $1 and state = 'running'
         returning call_id`,
        [callId, state, error, result_id, now],
      )
      return rows.length > 0
    },
  }
}

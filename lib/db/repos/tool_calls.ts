import type { CallRun } from '../../contract/changes/card.ts'
import type { Kind } from '../../contract/entities/kind.ts'
import type { ToolResult } from '../../contract/sources.ts'
import type { Queryable } from '../pool.ts'

type ToolCallRow = {
  id: string
  /** `null`: it was about no one Space. */
  space_id: string | null
  agent_id: string
  turn_id: string | null
  tool_use_id: string | null
  name: string
  arguments: unknown
  /** A summary, never the whole result. */
  result: string
  entity_type: string | null
  entity_id: string | null
  /** The words at which what it was about begins. */
  passage: string | null
  /** `pending`: it has begun. `cancelled`: it was cut off before it ended, by a stop, a limit, or the end of its server. */
  status: 'pending' | 'done' | 'error' | 'cancelled'
  /** `null`: nobody measured it. */
  duration_ms: number | null
  /** When it ended; of one that is pending, when it began. */
  created_at: string
}

/** A call as it is stored with a step of its turn. */
export type NewToolCall = Omit<ToolCallRow, 'created_at'>

/** Records of calls as rows, from a parameter or column of JSON. */
export const callRows = (calls: string) => `json_to_recordset(${calls}::json) as call (
      id uuid, space_id uuid, agent_id uuid, tool_use_id text, name text, arguments json, result text,
      entity_type text, entity_id uuid, status text, duration_ms integer, passage text
    )`

/** Stores records of calls of the turn that `held` selects; ends in its conditions. */
export const callInsert = (held: string, calls: string) => `insert into tool_calls
      (id, space_id, agent_id, turn_id, tool_use_id, name, arguments, result, entity_type, entity_id, status,
       duration_ms, passage)
    select call.id, call.space_id, call.agent_id, ${held}.id, call.tool_use_id, call.name, call.arguments, call.result,
      call.entity_type, call.entity_id, call.status, call.duration_ms, call.passage
    from ${held} cross join lateral ${callRows(calls)}
    where true`

/** A record of the same call. */
export const knownCall = (held: string) =>
  `select from tool_calls known where known.turn_id = ${held}.id and known.tool_use_id = call.tool_use_id`

/** The record of every call an agent made. A turn writes its own together with its steps, in turn_steps.ts. */
export function createToolCallsRepo(db: Queryable) {
  return {
    /**
     * Stores a call that belongs to no turn; of one that was pending, how it ended. Without a Space of its own it is of the one that its entity, of the given
     * kind, is in; a Space or an entity that there is not is left out.
     */
    async insert(call: Omit<ToolCallRow, 'created_at'>, kind: Kind | null): Promise<void> {
      const ofEntity = kind ? `(select space_id from ${kind.table} where id = $10)` : 'null::uuid'
      await db.query(
        `insert into tool_calls
           (id, space_id, agent_id, turn_id, tool_use_id, name, arguments, result, entity_type, entity_id, status,
            duration_ms, passage)
         values ($1, coalesce((select id from spaces where id = $2), ${ofEntity}), $3, $4, $5, $6, $7, $8, $9, $10::uuid,
           $11, $12, $13)
         on conflict (id) do update
           set result = excluded.result, entity_type = excluded.entity_type, entity_id = excluded.entity_id,
             status = excluded.status, duration_ms = excluded.duration_ms, passage = excluded.passage,
             created_at = now()
           where tool_calls.status in ('pending', 'cancelled')`,
        [
          call.id,
          call.space_id,
          call.agent_id,
          call.turn_id,
          call.tool_use_id,
          call.name,
          JSON.stringify(call.arguments),
          call.result,
          call.entity_type,
          call.entity_id,
          call.status,
          call.duration_ms,
          call.passage,
        ],
      )
    },

    /** Calls of no turn that began before a time and never ended: their server died. Returns how many there were. */
    async cancelAbandoned(before: Date): Promise<number> {
      const { rowCount } = await db.query(
        `update tool_calls
         set status = 'cancelled'
         where status = 'pending' and turn_id is null and created_at < $1`,
        [before],
      )
      return rowCount ?? 0
    },

    /** The calls of a turn, in the order in which they ended. */
    async listOfTurn(turnId: string): Promise<ToolCallRow[]> {
      const { rows } = await db.query<ToolCallRow>(
        `select id, space_id, agent_id, turn_id, tool_use_id, name, arguments, result, entity_type, entity_id, status,
           duration_ms, passage, created_at
         from tool_calls
         where turn_id = $1
         order by id`,
        [turnId],
      )
      return rows
    },
  }
}

export type ToolResultRow = ToolResult

type NewResult = Omit<ToolResultRow, 'kept_as' | 'created_at'> & {
  source_id: string
  agent_id: string
  tool_use_id: string | null
}

const columns = 'id, space_id, source_name, tool, arguments, text, cut, failed, turn_id, kept_as, created_at'

/** Results of the tools of sources, in Spaces that are not in the trash. */
export function createToolResultsRepo(db: Queryable) {
  return {
    async find(id: string, spaceId: string | null = null): Promise<ToolResultRow | null> {
      const { rows } = await db.query<ToolResultRow>(
        `select ${columns}
         from tool_results
         where id = $1
           and ($2::uuid is null or space_id = $2)
           and exists (select from spaces where spaces.id = tool_results.space_id and deleted_at is null)`,
        [id, spaceId],
      )
      return rows[0] ?? null
    },

    /** Lets one transaction at a time make something of it. */
    async lock(id: string): Promise<ToolResultRow | null> {
      await db.query('select id from tool_results where id = $1 for update', [id])
      return await this.find(id)
    },

    async insert(result: NewResult, now: Date): Promise<void> {
      const {
        id,
        space_id,
        source_id,
        source_name,
        tool,
        text,
        cut,
        failed,
        agent_id,
        turn_id,
        tool_use_id,
      } = result
      await db.query(
        `insert into tool_results
           (id, space_id, source_id, source_name, tool, arguments, text, cut, failed, agent_id, turn_id,
            tool_use_id, created_at)
         values ($1, $2, (select id from sources where id = $3), $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
        [
          ...[id, space_id, source_id, source_name, tool, result.arguments, text, cut, failed],
          ...[agent_id, turn_id, tool_use_id, now],
        ],
      )
    },

    async noteKept(id: string, keptAs: string): Promise<void> {
      await db.query('update tool_results set kept_as = $2 where id = $1', [id, keptAs])
    },
  }
}

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

const callColumns = 'state, error, result_id, started_at, ended_at'

/** How calls of outside tools went. */
export function createCallRunsRepo(db: Queryable) {
  return {
    async listByIds(ids: readonly string[]): Promise<(CallRun & { call_id: string })[]> {
      const { rows } = await db.query<CallRun & { call_id: string }>(
        `select call_id, ${callColumns} from call_runs where call_id = any($1)`,
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

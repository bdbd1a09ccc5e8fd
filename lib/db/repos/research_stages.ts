import type { Usage } from '../../contract/events/events.ts'
import type { ResearchStage } from '../../contract/research.ts'
import type { Queryable } from '../pool.ts'
import { isHeld, type Lease } from './turns.ts'

/** A time that a stage was run. `result` is what the next ones work with. */
export type ResearchStageRow = ResearchStage & {
  run_id: string
  turn_id: string
  result: unknown
  reserved_tokens: number
  reserved_usd: number | null
  usage: Usage | null
}

export type StageEnd = Pick<ResearchStageRow, 'status' | 'summary' | 'counts' | 'result'>

/** What a call may cost at the most. `usd`: `null` where the model has no price. */
export type Reservation = { tokens: number; usd: number | null }

const columns = `run_id, seq, turn_id, stage, status, summary, counts, result, reserved_tokens, reserved_usd, usage,
  tokens, cost, started_at, finished_at`

/** The stages of research runs, in the order in which they were run. */
export function createResearchStagesRepo(db: Queryable) {
  return {
    /** Whether the turn is still its runner's, whom nobody else can replace before the transaction ends. */
    async holdsLease({ turn_id, attempt, owner }: Lease): Promise<boolean> {
      const { rows } = await db.query(
        `select id
         from turns
         where id = $1 and attempt = $2 and lease_owner = $3 and ${isHeld}
         for share`,
        [turn_id, attempt, owner],
      )
      return rows.length > 0
    },

    async list(runId: string): Promise<ResearchStageRow[]> {
      const { rows } = await db.query<ResearchStageRow>(
        `select ${columns} from research_stages where run_id = $1 order by seq`,
        [runId],
      )
      return rows
    },

    /** Begins a stage; `done` and the like where nothing has to be waited for. */
    async insert(
      row: Pick<ResearchStageRow, 'run_id' | 'turn_id' | 'stage'> & StageEnd,
    ): Promise<ResearchStageRow> {
      const { rows } = await db.query<ResearchStageRow>(
        `insert into research_stages (run_id, seq, turn_id, stage, status, summary, counts, result, finished_at)
         select $1, coalesce(max(seq), 0) + 1, $2, $3, $4, $5, $6, $7, case when $4 <> 'started' then now() end
         from research_stages
         where run_id = $1
         returning ${columns}`,
        [
          ...[row.run_id, row.turn_id, row.stage, row.status, row.summary],
          ...[JSON.stringify(row.counts), JSON.stringify(row.result)],
        ],
      )
      return rows[0]!
    },

    async reserve(
      { run_id, seq }: Pick<ResearchStageRow, 'run_id' | 'seq'>,
      { tokens, usd }: Reservation,
    ): Promise<void> {
      await db.query(
        `update research_stages
         set reserved_tokens = $3, reserved_usd = $4
         where run_id = $1 and seq = $2 and status = 'started'`,
        [run_id, seq, tokens, usd],
      )
    },

    /** Ends a stage that has begun, and settles what its call has cost. One that has ended stays as it is. */
    async finish(
      { run_id, seq }: Pick<ResearchStageRow, 'run_id' | 'seq'>,
      end: StageEnd & Pick<ResearchStageRow, 'usage' | 'tokens' | 'cost'>,
    ): Promise<ResearchStageRow> {
      const { rows } = await db.query<ResearchStageRow>(
        `update research_stages
         set status = $3, summary = $4, counts = $5, result = $6, usage = $7, tokens = $8, cost = $9,
             finished_at = now()
         where run_id = $1 and seq = $2 and status = 'started'
         returning ${columns}`,
        [
          ...[run_id, seq, end.status, end.summary, JSON.stringify(end.counts), JSON.stringify(end.result)],
          ...[end.usage && JSON.stringify(end.usage), end.tokens, end.cost],
        ],
      )
      return rows[0] ?? (await this.list(run_id)).find((row) => row.seq === seq)!
    },

    /** What a server left that died: its call counts as paid, at what was reserved for it. */
    async closeInterrupted(runId: string): Promise<void> {
      await db.query(
        `update research_stages
         set status = 'failed', summary = 'Interrupted.', tokens = reserved_tokens, cost = reserved_usd,
             finished_at = now()
         where run_id = $1 and status = 'started'`,
        [runId],
      )
    },

    /** What waited for the owner waits no more. */
    async releasePaused(runId: string): Promise<void> {
      await db.query("update research_stages set status = 'done' where run_id = $1 and status = 'paused'", [
        runId,
      ])
    },
  }
}

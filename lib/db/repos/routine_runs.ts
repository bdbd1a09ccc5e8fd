import type { ChangeStatus } from '../../contract/changes/decision.ts'
import type { Queryable } from '../pool.ts'

export type RoutineRunRow = {
  id: string
  routine_id: string
  due_at: string
  started_by: 'schedule' | 'event' | 'owner'
  dry: boolean
  attempt: number
  started_at: string | null
  ended_at: string | null
  status: 'done' | 'nothing_to_do' | 'failed' | 'skipped' | null
  problem: string | null
  retry_at: string | null
  turn_id: string | null
  cost_usd: number | null
}

export type ListedRun = RoutineRunRow & { drafts: { id: string; status: ChangeStatus }[] }

/** A run with how its turn ended. */
export type EndedRun = RoutineRunRow & {
  model: string | null
  turn_status: 'done' | 'failed' | 'stopped'
  stop_reason: string | null
  usage: Record<string, number> | null
  error: { message: string } | null
  drafted: boolean
  silent: boolean
}

export type RunCounts = { done: number; nothing_to_do: number; failed: number; skipped: number }

const runColumns = `routine_runs.id, routine_id, due_at, started_by, dry, routine_runs.attempt, started_at, ended_at,
  routine_runs.status, problem, retry_at, turn_id, cost_usd`

export function createRoutineRunsRepo(db: Queryable) {
  const all = async (text: string, values: unknown[]): Promise<RoutineRunRow[]> =>
    (await db.query<RoutineRunRow>(text, values)).rows

  return {
    /** `null`: the occurrence has its row. */
    async insert(run: RoutineRunRow): Promise<RoutineRunRow | null> {
      const [row] = await all(
        `insert into routine_runs
           (id, routine_id, due_at, started_by, dry, attempt, started_at, ended_at, status, problem)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
         on conflict (routine_id, due_at) do nothing
         returning ${runColumns}`,
        [
          ...[run.id, run.routine_id, run.due_at, run.started_by, run.dry, run.attempt, run.started_at],
          ...[run.ended_at, run.status, run.problem],
        ],
      )
      return row ?? null
    },

    async find(id: string): Promise<RoutineRunRow | null> {
      return (await all(`select ${runColumns} from routine_runs where id = $1`, [id]))[0] ?? null
    },

    async setTurn(id: string, turnId: string): Promise<void> {
      await db.query('update routine_runs set turn_id = $2 where id = $1', [id, turnId])
    },

    async list(routineId: string, beforeId: string | null, limit: number): Promise<ListedRun[]> {
      const { rows } = await db.query<ListedRun>(
        `select ${runColumns},
           coalesce((
             select json_agg(json_build_object('id', id, 'status', status) order by id)
             from pending_changes
             where pending_changes.turn_id = routine_runs.turn_id and status <> 'superseded'
           ), '[]') as drafts
         from routine_runs
         where routine_id = $1 and ($2::uuid is null or id < $2)
         order by id desc
         limit $3`,
        [routineId, beforeId, limit],
      )
      return rows
    },

    /** The run of a routine that has not ended. */
    async findOpen(routineId: string): Promise<RoutineRunRow | null> {
      const rows = await all(
        `select ${runColumns} from routine_runs where routine_id = $1 and status is null order by id limit 1`,
        [routineId],
      )
      return rows[0] ?? null
    },

    /** Of those that started since. */
    async countOpen(since: Date): Promise<number> {
      const { rows } = await db.query<{ count: number }>(
        'select count(*)::integer as count from routine_runs where status is null and started_at > $1',
        [since],
      )
      return rows[0]!.count
    },

    /** Open runs that started by then. */
    async listStuck(startedBy: Date, limit: number): Promise<RoutineRunRow[]> {
      return await all(
        `select ${runColumns}
         from routine_runs
         where status is null and started_at <= $1
         order by id
         limit $2`,
        [startedBy, limit],
      )
    },

    /** Begun by a server that did not get to their turns. */
    async listWithoutTurn(limit: number): Promise<RoutineRunRow[]> {
      return await all(
        `select ${runColumns}
         from routine_runs
         where status is null and turn_id is null
         order by id
         limit $1`,
        [limit],
      )
    },

    async listRetries(now: Date, limit: number): Promise<RoutineRunRow[]> {
      return await all(
        `select ${runColumns}
         from routine_runs
         where retry_at is not null and retry_at <= $1
         order by retry_at
         limit $2`,
        [now, limit],
      )
    },

    /** Begins a failed run again; `null`: another server did. */
    async retry(id: string, now: Date): Promise<RoutineRunRow | null> {
      const [row] = await all(
        `update routine_runs
         set attempt = attempt + 1, started_at = $2, ended_at = null, status = null, problem = null,
             retry_at = null, turn_id = null
         where id = $1 and retry_at is not null
         returning ${runColumns}`,
        [id, now],
      )
      return row ?? null
    },

    /** Of a routine whose next time has come. */
    async dropRetries(routineId: string): Promise<void> {
      await db.query(
        'update routine_runs set retry_at = null where routine_id = $1 and retry_at is not null',
        [routineId],
      )
    },

    /** Open runs whose turns have ended. `silent`: the turn said that there is nothing to do. */
    async listEnded(limit: number): Promise<EndedRun[]> {
      const { rows } = await db.query<EndedRun>(
        `select ${runColumns}, turns.model, turns.status as turn_status, turns.stop_reason, turns.usage, turns.error,
           exists (select from pending_changes where pending_changes.turn_id = turns.id) as drafted,
           exists (
             select from tool_calls
             where tool_calls.turn_id = turns.id and name = 'nothing_to_do' and tool_calls.status = 'done'
           ) as silent
         from routine_runs
         join turns on turns.id = routine_runs.turn_id
         where routine_runs.status is null and turns.status in ('done', 'failed', 'stopped')
         order by routine_runs.id
         limit $1`,
        [limit],
      )
      return rows
    },

    /** Ends an open run; false: another server did. */
    async end(
      id: string,
      ending: Pick<RoutineRunRow, 'status' | 'problem' | 'retry_at' | 'cost_usd'> & { at: Date },
    ): Promise<boolean> {
      const { rowCount } = await db.query(
        `update routine_runs
         set status = $2, problem = $3, retry_at = $4, cost_usd = coalesce(cost_usd, 0) + $5, ended_at = $6
         where id = $1 and status is null`,
        [id, ending.status, ending.problem, ending.retry_at, ending.cost_usd, ending.at],
      )
      return rowCount === 1
    },

    /** What a silent run said is removed: nothing was meant for the owner. */
    async removeMessages(turnId: string): Promise<void> {
      await db.query('delete from messages where turn_id = $1', [turnId])
    },

    /** What runs since a time came to, and their cost; `average`: of the last ten that cost something. */
    async sums(
      routineId: string,
      since: Date,
    ): Promise<RunCounts & { cost: number; average: number | null }> {
      const { rows } = await db.query<RunCounts & { cost: number; average: number | null }>(
        `select ${['done', 'nothing_to_do', 'failed', 'skipped']
          .map((status) => `count(*) filter (where status = '${status}')::integer as ${status}`)
          .join(', ')},
           coalesce(sum(cost_usd), 0) as cost,
           (
             select avg(cost_usd)
             from (
               select cost_usd
               from routine_runs
               where routine_id = $1 and cost_usd > 0
               order by id desc
               limit 10
             ) as priced
           ) as average
         from routine_runs
         where routine_id = $1 and due_at >= $2 and not dry`,
        [routineId, since],
      )
      return rows[0]!
    },

    /** Of the last runs that said something, in how many all drafts were rejected. */
    async countRejected(routineId: string, runs: number): Promise<number> {
      const { rows } = await db.query<{ count: number }>(
        `select count(*)::integer as count
         from (
           select turn_id
           from routine_runs
           where routine_id = $1 and status = 'done' and turn_id is not null and not dry
           order by id desc
           limit $2
         ) as spoke
         where (
           select bool_and(status = 'rejected')
           from pending_changes
           where pending_changes.turn_id = spoke.turn_id and status <> 'superseded'
         )`,
        [routineId, runs],
      )
      return rows[0]!.count
    },

    /** The problem of the run before; `null`: there was none, or no run. */
    async lastProblem(routineId: string): Promise<string | null> {
      const { rows } = await db.query<{ problem: string | null }>(
        'select problem from routine_runs where routine_id = $1 and status is not null order by id desc limit 1',
        [routineId],
      )
      return rows[0]?.problem ?? null
    },
  }
}

/** The drafts of routines, for the limits of what they draft. */
export function createRoutineDraftsRepo(db: Queryable) {
  return {
    /** Until the transaction ends, no other routine drafts. */
    async lock(): Promise<void> {
      await db.query('select pg_advisory_xact_lock($1)', [draftsLock])
    },

    /** Things drafted in a turn, and by all routines since a time, that one aside. */
    async count(
      turnId: string,
      { since, without }: { since: Date; without: string },
    ): Promise<{ ofRun: number; ofDay: number }> {
      const { rows } = await db.query<{ of_run: number; of_day: number }>(
        `select count(distinct entity_id) filter (where turn_id = $1)::integer as of_run,
                count(distinct (turn_id, entity_id))::integer as of_day
         from pending_changes
         where entity_id <> $3 and created_at >= $2
           and turn_id in (select turn_id from routine_runs where turn_id is not null)`,
        [turnId, since, without],
      )
      return { ofRun: rows[0]!.of_run, ofDay: rows[0]!.of_day }
    },

    /** Ids of a routine's drafts: those that wait, and the last that were rejected. */
    async listIds(routineId: string, limit: number): Promise<string[]> {
      const { rows } = await db.query<{ id: string }>(
        `select pending_changes.id
         from pending_changes
         join routine_runs on routine_runs.turn_id = pending_changes.turn_id
         where routine_id = $1 and pending_changes.status in ('pending', 'rejected')
         order by pending_changes.id desc
         limit $2`,
        [routineId, limit],
      )
      return rows.map(({ id }) => id)
    },
  }
}

/** Of `pg_advisory_xact_lock`: any number that nobody else uses. */
const draftsLock = 4_727_001

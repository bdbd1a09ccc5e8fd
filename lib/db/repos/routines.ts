import type { ReadyName } from '../../contract/companion/ready-routines.ts'
import type { Queryable } from '../pool.ts'
import { eventsEnd, hasNews, matching } from './routine_events.ts'

export type RoutineRow = {
  id: string
  space_id: string
  name: string
  instruction: string
  schedule: string | null
  at_time: string | null
  time_zone: string
  starts_on: string
  event: 'mail' | 'page' | 'import' | null
  filter: string
  /** Ready-made; null: a model follows its instruction. */
  ready: ReadyName | null
  agent_id: string | null
  model: string | null
  budget_usd: number
  daily_budget_usd: number | null
  quiet_from: string | null
  quiet_until: string | null
  enabled: boolean
  paused_reason: string | null
  failures: number
  next_due_at: string | null
  next_start_at: string | null
  computed_at: string
  conversation_id: string | null
  created_at: string
  updated_at: string
}

/** When a routine is due next, as worked out at `computed_at`. */
export type NextTimes = Pick<RoutineRow, 'next_due_at' | 'next_start_at' | 'computed_at'>

const own = [
  ...['id', 'space_id', 'name', 'instruction', 'schedule', 'at_time', 'time_zone', 'starts_on', 'event'],
  ...[
    'filter',
    'ready',
    'agent_id',
    'model',
    'budget_usd',
    'daily_budget_usd',
    'quiet_from',
    'quiet_until',
    'enabled',
  ],
  ...['paused_reason', 'failures', 'next_due_at', 'next_start_at', 'computed_at', 'conversation_id'],
  ...['created_at', 'updated_at'],
] as const satisfies (keyof RoutineRow)[]

const columns = own.map((name) => `routines.${name}`).join(', ')

/** In a query of routines: in a Space that is there. */
const isPlaced = `routines.deleted_at is null
           and exists (select from spaces where spaces.id = routines.space_id and spaces.deleted_at is null)`

/** Milliseconds without a further event after which those before are one run, and for how long they are waited for. */
export type EventTerms = { settleMs: number; patienceMs: number }

const isListening = `routines.event is not null and routines.next_due_at is null and routines.enabled
           and ${isPlaced}`

export function createRoutinesRepo(db: Queryable) {
  const first = async (text: string, values: unknown[]): Promise<RoutineRow | null> =>
    (await db.query<RoutineRow>(text, values)).rows[0] ?? null

  return {
    async insert(row: RoutineRow): Promise<RoutineRow> {
      const inserted = await first(
        `insert into routines (${own.join(', ')})
         values (${own.map((_, at) => `$${at + 1}`).join(', ')})
         returning ${columns}`,
        own.map((name) => row[name]),
      )
      return inserted!
    },

    /** By id alone, for the owner, who may enter every Space. */
    async find(id: string): Promise<RoutineRow | null> {
      return await first(`select ${columns} from routines where id = $1 and ${isPlaced}`, [id])
    },

    /** The one that a turn is a run of. */
    async findByTurn(turnId: string): Promise<RoutineRow | null> {
      return await first(
        `select ${columns}
         from routines
         join routine_runs on routine_runs.routine_id = routines.id
         where turn_id = $1 and ${isPlaced}`,
        [turnId],
      )
    },

    /** Locks it until the transaction ends. */
    async lock(id: string): Promise<RoutineRow | null> {
      return await first(`select ${columns} from routines where id = $1 and ${isPlaced} for update`, [id])
    },

    async list(spaceId: string, beforeId: string | null, limit: number): Promise<RoutineRow[]> {
      const { rows } = await db.query<RoutineRow>(
        `select ${columns}
         from routines
         where space_id = $1 and deleted_at is null and ($2::uuid is null or id < $2)
         order by id desc
         limit $3`,
        [spaceId, beforeId, limit],
      )
      return rows
    },

    /** With those that are approved and yet to be made. */
    async count(spaceId: string): Promise<number> {
      const { rows } = await db.query<{ count: number }>(
        `select (select count(*) from routines where space_id = $1 and deleted_at is null)::integer
           + (select count(*) from routine_requests
              where space_id = $1 and made_at is null and deleted_at is null)::integer as count`,
        [spaceId],
      )
      return rows[0]!.count
    },

    async update(id: string, change: Partial<RoutineRow>): Promise<RoutineRow | null> {
      const names = own.filter((name) => name in change)
      if (names.length === 0) return await this.find(id)
      return await first(
        `update routines
         set ${names.map((name, at) => `${name} = $${at + 2}`).join(', ')}
         where id = $1 and deleted_at is null
         returning ${columns}`,
        [id, ...names.map((name) => change[name])],
      )
    },

    async remove(id: string, at: Date): Promise<boolean> {
      const { rowCount } = await db.query(
        'update routines set deleted_at = $2, enabled = false where id = $1 and deleted_at is null',
        [id, at],
      )
      return rowCount === 1
    },

    /** Those that may start by now, the longest due first, and those whose times a clock worked out that was ahead. */
    async listDue(now: Date, limit: number): Promise<RoutineRow[]> {
      const { rows } = await db.query<RoutineRow>(
        `select ${columns}
         from routines
         where enabled and next_start_at is not null and (next_start_at <= $1 or computed_at > $1) and ${isPlaced}
         order by next_start_at, id
         limit $2`,
        [now, limit],
      )
      return rows
    },

    /** Looks at no event until now: what is not under way yet is known to a run that starts. */
    async passEvents(id: string): Promise<void> {
      await db.query(
        `update routines set events_until = greatest(events_until, ${eventsEnd}) where id = $1`,
        [id],
      )
    },

    /**
     * Makes routines due whose events have come and then stopped for a while, or have come for long, by the time of the
     * latest one. All at once, and by one server: another that saw the same events finds that they were looked at.
     */
    async takeEvents(now: Date, { settleMs, patienceMs }: EventTerms): Promise<void> {
      await db.query(
        `update routines
         set events_until = seen.until,
             next_due_at = seen.last,
             next_start_at = least(seen.last, $1),
             computed_at = $1
         from (
           select routines.id, routines.events_until as since, bound.until, events.last
           from routines
           cross join (select ${eventsEnd} as until) as bound
           cross join lateral (
             select min(at) as first, max(at) as last from (${matching}) as matching where at <= bound.until
           ) as events
           where ${isListening} and ${hasNews} and bound.until > routines.events_until
             and (
               events.first is null
               or events.last <= now() - $2 * interval '1 millisecond'
               or events.first <= now() - $3 * interval '1 millisecond'
             )
         ) as seen
         where routines.id = seen.id and routines.events_until = seen.since and ${isListening}`,
        [now, settleMs, patienceMs],
      )
    },

    /** Whether there is anything to start, to settle or to try again. One statement, along indexes. */
    async isAnyDue(now: Date): Promise<boolean> {
      const { rows } = await db.query<{ due: boolean }>(
        `select exists (
             select from routines
             where enabled and deleted_at is null and next_start_at is not null and next_start_at <= $1
           )
           or exists (select from routines where enabled and deleted_at is null and computed_at > $1)
           or exists (select from routine_requests where made_at is null and deleted_at is null)
           or exists (select from routines where ${isListening} and ${hasNews})
           or exists (select from routine_runs where status is null)
           or exists (select from routine_runs where retry_at is not null and retry_at <= $1) as due`,
        [now],
      )
      return rows[0]!.due
    },
  }
}

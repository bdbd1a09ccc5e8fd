// Routines as the owner has them: made, changed, switched on and off, run by hand, and looked back on.

import { v7 as uuid } from 'uuid'
import {
  maxRoutines,
  type NewRoutine,
  type Routine,
  type RoutineChange,
  type RoutineRun,
  type RoutineWhen,
} from '../../contract/companion/routines.ts'
import type { LiveEvent } from '../../contract/events/live.ts'
import { conflict, invalid, notFound } from '../../core/errors.ts'
import { createRoutineRequestsRepo } from '../../db/repos/routine_requests.ts'
import { createRoutineRunsRepo } from '../../db/repos/routine_runs.ts'
import { createRoutinesRepo, type RoutineRow } from '../../db/repos/routines.ts'
import type { TurnRow } from '../../db/repos/turns.ts'
import { createKickedJob } from '../../jobs/kicked-job.ts'
import { firstDay, nextTimes, readSchedule, scheduleProblem } from './plan-run.ts'
import { newRun, type RunDeps, runDueRoutines, startRun } from './run-routines.ts'
import { pauseRejected, settleEnded } from './settle-run.ts'
import { toRoutine, toRun } from './show-routine.ts'

export type Routines = {
  /** One more than `limit` where there is more. */
  list(spaceId: string, page: { before_id: string | null; limit: number }): Promise<Routine[]>
  /** Throws `AppError`: 400 for a schedule that never comes, 404 for an unknown companion, 409 `too_many_routines`. */
  create(spaceId: string, routine: NewRoutine): Promise<Routine>
  /** Throws as `create` does, and a 404. */
  change(id: string, change: RoutineChange): Promise<Routine>
  /** What it has said and drafted stays. Throws a 404 `AppError`. */
  remove(id: string): Promise<void>
  /** Runs it now, whatever its schedule, or returns the turn of the run that is under way. Throws a 404 `AppError`. */
  run(id: string, options: { dry: boolean }): Promise<Pick<TurnRow, 'id' | 'conversation_id'>>
  /** Its runs, the latest first; one more than `limit` where there is more. Throws a 404 `AppError`. */
  runs(id: string, page: { before_id: string | null; limit: number }): Promise<RoutineRun[]>
  /** Runs them by the clock until the function returned is called. */
  start(): () => Promise<void>
}

export type RoutinesDeps = Omit<RunDeps, 'live'> & {
  live: RunDeps['live'] & {
    /** Until the server stops. */
    subscribe(reader: (event: LiveEvent) => void, lastId: string | null): unknown
  }
}

const maxRequests = 100
const defaultBudgetUsd = 0.5
const everyMs = 5000

export function createRoutines(deps: RoutinesDeps): Routines {
  const { database, calendar, live } = deps
  const routines = createRoutinesRepo(database)
  const job = createKickedJob(deps, {
    name: 'routines',
    everyMs,
    isDue: () => routines.isAnyDue(calendar.now()),
    async run(signal) {
      await makeRequested(null)
      await runDueRoutines(deps, signal)
    },
  })
  const mine = new Set<string>()
  live.subscribe(({ type, data }) => {
    if (type === 'turn' && data.state === 'ended' && mine.delete(data.turn_id)) job.kick()
    if (type === 'routine' && data.state === 'started') job.kick()
    if (type === 'change' && data.status === 'approved') job.kick()
    if (type === 'change' && data.status === 'rejected') void reviewRejected(deps, data.changeset_id)
  }, null)

  return {
    async list(spaceId, { before_id, limit }) {
      await makeRequested(spaceId)
      const rows = await routines.list(spaceId, before_id, limit)
      return await Promise.all(rows.map((row) => toRoutine(deps, row)))
    },

    async create(spaceId, routine) {
      const now = calendar.now()
      const row = newRow(deps, spaceId, routine)
      checkSchedule(row, now)
      await checkAgent(deps, spaceId, routine.agent_id)
      if ((await routines.count(spaceId)) >= maxRoutines)
        throw conflict('too_many_routines', `A Space has at most ${maxRoutines} routines.`, {
          limit: maxRoutines,
        })
      return await announce(await routines.insert({ ...row, ...nextTimes(row, now, now) }))
    },

    async change(id, change) {
      const before = await routines.find(id)
      if (before) await checkAgent(deps, before.space_id, change.agent_id)
      const changed = await database.transaction(async (tx) => {
        const locked = createRoutinesRepo(tx)
        const row = await locked.lock(id)
        if (row && isBegun(row, change)) await locked.passEvents(id)
        return row && (await locked.update(id, changeRow(deps, row, change)))
      })
      if (!changed) throw notFound('routine', id)
      return await announce(changed)
    },

    async remove(id) {
      const row = await routines.find(id)
      if (!row || !(await routines.remove(id, calendar.now()))) throw notFound('routine', id)
      await createRoutineRunsRepo(database).dropRetries(id)
      tell(row)
    },

    run: (id, { dry }) => runNow(id, dry),

    async runs(id, { before_id, limit }) {
      if (!(await routines.find(id))) throw notFound('routine', id)
      await settleEnded(deps)
      return (await createRoutineRunsRepo(database).list(id, before_id, limit)).map(toRun)
    },

    start: () => job.start(),
  }

  async function runNow(id: string, dry: boolean) {
    await settleEnded(deps)
    const run = await database.transaction(async (tx) => {
      // Of two requests at once, the second one waits here and finds the run.
      const row = await createRoutinesRepo(tx).lock(id)
      if (!row) throw notFound('routine', id)
      const now = calendar.now()
      const ofRoutine = createRoutineRunsRepo(tx)
      return (
        (await ofRoutine.findOpen(id)) ??
        (await ofRoutine.insert(newRun(row, { due: now, by: 'owner', now, dry })))
      )
    })
    const runs = createRoutineRunsRepo(database)
    const turn = run && (await startRun(deps, run))
    if (!turn) {
      const { problem } = (run && (await runs.find(run.id))) ?? {}
      throw conflict(
        'routine_not_started',
        problem ?? 'This routine could not start yet. It starts as soon as there is room.',
      )
    }
    mine.add(turn.id)
    return turn
  }

  /** Makes what the owner asked for in a message and approved. `null`: in every Space. */
  async function makeRequested(spaceId: string | null): Promise<void> {
    const made = await database.transaction(async (tx) => {
      const repo = createRoutinesRepo(tx)
      const rows: RoutineRow[] = []
      for (const request of await createRoutineRequestsRepo(tx).take(spaceId, maxRequests)) {
        const { title: name, body: instruction, schedule, time_zone } = request
        const row = newRow(deps, request.space_id, { name, instruction, when: { schedule, time_zone } })
        const now = calendar.now()
        rows.push(await repo.insert({ ...row, ...nextTimes(row, now, now) }))
      }
      return rows
    })
    for (const row of made) tell(row)
  }

  async function announce(row: RoutineRow): Promise<Routine> {
    tell(row)
    return await toRoutine(deps, row)
  }

  function tell({ id, space_id }: RoutineRow): void {
    live.publish({ type: 'routine', data: { id, space_id, run_id: null, state: 'changed' } })
  }
}

async function reviewRejected(deps: RoutinesDeps, changesetId: string): Promise<void> {
  try {
    const row = await createRoutinesRepo(deps.database).findByTurn(changesetId)
    if (row?.enabled) await pauseRejected(deps, deps.database, row)
  } catch (err) {
    deps.logger.warn({ err }, 'rejected drafts of a routine not reviewed')
  }
}

function newRow(deps: RoutinesDeps, space_id: string, routine: NewRoutine): RoutineRow {
  const at = deps.calendar.now().toISOString()
  const row: RoutineRow = {
    ...{ id: uuid(), space_id, name: routine.name, instruction: routine.instruction },
    ...{
      schedule: null,
      at_time: null,
      time_zone: deps.calendar.zone(),
      starts_on: '',
      event: null,
      filter: '',
    },
    ...{ ready: null, agent_id: null, model: null, budget_usd: defaultBudgetUsd, daily_budget_usd: null },
    ...{ quiet_from: null, quiet_until: null, enabled: true, paused_reason: null, failures: 0 },
    ...{ next_due_at: null, next_start_at: null, computed_at: at, conversation_id: null },
    ...{ created_at: at, updated_at: at },
  }
  return applyChange(deps, row, routine)
}

/** Switched on again, it begins anew: what was due meanwhile is not made up for. */
function applyChange({ calendar }: RoutinesDeps, row: RoutineRow, change: RoutineChange): RoutineRow {
  const { when, quiet_hours, ...fields } = change
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  const quiet = quiet_hours && { quiet_from: quiet_hours.from, quiet_until: quiet_hours.until }
  return {
    ...row,
    ...given,
    ...(when ? fieldsOf(when, row, calendar) : {}),
    ...(quiet_hours === undefined ? {} : (quiet ?? { quiet_from: null, quiet_until: null })),
    ...(change.enabled ? { paused_reason: null, failures: 0 } : {}),
    updated_at: calendar.now().toISOString(),
  }
}

function fieldsOf(
  when: RoutineWhen,
  row: RoutineRow,
  { now }: RoutinesDeps['calendar'],
): Partial<RoutineRow> {
  if ('event' in when) return { event: when.event, filter: when.filter ?? '', schedule: null, at_time: null }
  const time_zone = when.time_zone ?? row.time_zone
  const read = readSchedule(when.schedule, time_zone)
  if ('problem' in read) throw invalid(`when.schedule: ${read.problem}`)
  const starts_on = firstDay({ ...read, time_zone, starts_on: '' }, now())
  return { ...read, time_zone, starts_on, event: null, filter: '' }
}

/** Its times are worked out anew where they may be others: what is due now stays due. */
function changeRow(deps: RoutinesDeps, row: RoutineRow, change: RoutineChange): RoutineRow {
  const now = deps.calendar.now()
  const next = applyChange(deps, row, change)
  checkSchedule(next, now)
  return isBegun(row, change) ? { ...next, ...nextTimes(next, now, now) } : next
}

/** Whether it counts from now on only. */
const isBegun = (row: RoutineRow, { when, enabled = row.enabled }: RoutineChange): boolean =>
  when !== undefined || enabled !== row.enabled

function checkSchedule(row: RoutineRow, now: Date): void {
  const problem = scheduleProblem(row, now)
  // One that is off may be past.
  if (problem && row.enabled) throw invalid(`when.schedule: ${problem}`)
}

async function checkAgent({ companion }: RoutinesDeps, spaceId: string, id: string | null | undefined) {
  if (id) await companion.agent(spaceId, id)
}

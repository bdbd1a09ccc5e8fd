// How runs end: what one came to, what it cost, and what follows from that. A failed run is tried again after growing
// pauses; three failures in a row, or drafts that are all rejected, switch the routine off, with the reason.

import { noUsage, type Usage } from '../../ai/model.ts'
import { costOf, type Prices, priceOf } from '../../ai/usage/prices.ts'
import type { Published } from '../../contract/events/live.ts'
import type { Calendar } from '../../core/schedule/calendar.ts'
import type { Database, Queryable } from '../../db/pool.ts'
import { createRoutineRunsRepo, type EndedRun, type RoutineRunRow } from '../../db/repos/routine_runs.ts'
import { createRoutinesRepo, type RoutineRow } from '../../db/repos/routines.ts'
import { noModelText } from './routine-turn.ts'

export type SettleDeps = {
  database: Database
  calendar: Calendar
  prices: Prices
  live: { publish(event: Published): void }
}

type Ending = {
  status: NonNullable<RoutineRunRow['status']>
  problem: string | null
  /** Of a failure: whether it counts and is tried again. */
  mayRetry?: boolean
  /** Of a failure: whether no later run can succeed. */
  isFinal?: boolean
  cost?: number | null
}

const maxSettled = 100

export const tooLongText = 'It took too long.'

/** Pauses before a failed run is tried again, in milliseconds; after the last failure the routine is off. */
const pausesMs = [5 * 60_000, 30 * 60_000]

/** Of so many runs that spoke, in how many all drafts are rejected before a routine is off. */
const spokenRuns = 5
const rejectedRuns = 3

/** Settles the runs whose turns have ended. */
export async function settleEnded(deps: SettleDeps): Promise<void> {
  for (const run of await createRoutineRunsRepo(deps.database).listEnded(maxSettled)) await settle(deps, run)
}

async function settle(deps: SettleDeps, run: EndedRun): Promise<void> {
  const row = await createRoutinesRepo(deps.database).find(run.routine_id)
  const ending = { ...endingOf(run, row), cost: costOfRun(deps.prices, run) }
  if (ending.status === 'failed' && row) await failRun(deps, row, run, ending)
  else await endRun(deps, run, ending)
}

function endingOf(run: EndedRun, row: RoutineRow | null): Ending {
  const { turn_status, stop_reason, silent, drafted, error, model } = run
  if (model === 'offline' && !row?.ready) return { status: 'failed', problem: noModelText, mayRetry: false }
  if (turn_status === 'failed')
    return { status: 'failed', problem: error?.message ?? 'The model failed.', mayRetry: true }
  if (stop_reason === 'aborted') return { status: 'failed', problem: 'You stopped it.', mayRetry: false }
  if (stop_reason === 'time_limit') return { status: 'failed', problem: tooLongText, mayRetry: true }
  if (stop_reason === 'budget')
    return { status: 'failed', problem: 'Its budget was used up before it had finished.', mayRetry: false }
  if (limits.has(stop_reason ?? '')) return { status: 'done', problem: cutShortText }
  if (silent && !drafted) return { status: 'nothing_to_do', problem: null }
  return { status: 'done', problem: null }
}

/** What ends a turn that goes on and on; it has answered with what it had by then. */
const limits = new Set(['iteration_limit', 'token_limit', 'size_limit'])

const cutShortText = 'It was ended before it had finished: the calls or the text of one run were used up.'

function costOfRun(prices: Prices, { model, usage }: EndedRun): number | null {
  const price = model === null || usage === null ? null : priceOf(prices, model)
  return price && costOf(price, { ...noUsage, ...(usage as Partial<Usage>) })
}

/** Ends a run; nothing follows from it but that earlier failures no longer count. */
export async function endRun(
  { database, calendar, live }: SettleDeps,
  run: RoutineRunRow,
  { status, problem, cost = null }: Ending,
): Promise<void> {
  const isEnded = await database.transaction(async (tx) => {
    const runs = createRoutineRunsRepo(tx)
    const ended = { status, problem, retry_at: null, cost_usd: cost, at: calendar.now() }
    if (!(await runs.end(run.id, ended))) return false
    if (status === 'nothing_to_do' && run.turn_id && !run.dry) await runs.removeMessages(run.turn_id)
    if (status === 'done' || status === 'nothing_to_do')
      await createRoutinesRepo(tx).update(run.routine_id, { failures: 0 })
    return true
  })
  if (isEnded) await tellEnded({ database, live }, run)
}

/** Ends a run that failed: it is tried again, or its routine is switched off. */
export async function failRun(
  { database, calendar, live }: SettleDeps,
  { id }: RoutineRow,
  run: RoutineRunRow,
  { problem, mayRetry = false, isFinal = false, cost = null }: Omit<Ending, 'status'>,
): Promise<void> {
  const now = calendar.now()
  const isEnded = await database.transaction(async (tx) => {
    const routines = createRoutinesRepo(tx)
    const row = await routines.lock(id)
    const failures = (row?.failures ?? 0) + (mayRetry ? 1 : 0)
    const pause = pausesMs[failures - 1]
    const isTried = mayRetry && row?.enabled && run.started_by !== 'owner' && pause !== undefined
    const retry_at = isTried ? new Date(now.getTime() + pause).toISOString() : null
    const ended = { status: 'failed' as const, problem, retry_at, cost_usd: cost, at: now }
    if (!(await createRoutineRunsRepo(tx).end(run.id, ended))) return false
    if (!row) return true
    const isOver = isFinal || failures > pausesMs.length
    if (isOver && row.enabled) await pauseRoutine(tx, row, `It failed: ${problem}`)
    else await routines.update(id, { failures })
    return true
  })
  if (isEnded) await tellEnded({ database, live }, run)
}

/** Switches a routine off whose drafts the owner keeps rejecting. Whether it did. */
export async function pauseRejected(
  { live }: Pick<SettleDeps, 'live'>,
  db: Queryable,
  row: RoutineRow,
): Promise<boolean> {
  const rejected = await createRoutineRunsRepo(db).countRejected(row.id, spokenRuns)
  if (rejected < rejectedRuns) return false
  await pauseRoutine(
    db,
    row,
    `You rejected all drafts of ${rejected} of its last ${spokenRuns} runs that drafted or answered.`,
  )
  live.publish({
    type: 'routine',
    data: { id: row.id, space_id: row.space_id, run_id: null, state: 'paused' },
  })
  return true
}

async function pauseRoutine(db: Queryable, { id }: RoutineRow, reason: string): Promise<void> {
  await createRoutineRunsRepo(db).dropRetries(id)
  await createRoutinesRepo(db).update(id, {
    enabled: false,
    paused_reason: reason,
    failures: 0,
    next_due_at: null,
    next_start_at: null,
  })
}

async function tellEnded({ database, live }: Pick<SettleDeps, 'database' | 'live'>, run: RoutineRunRow) {
  const row = await createRoutinesRepo(database).find(run.routine_id)
  if (row)
    live.publish({
      type: 'routine',
      data: { id: row.id, space_id: row.space_id, run_id: run.id, state: 'ended' },
    })
}

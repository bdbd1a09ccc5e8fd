// Starts routines whose time has come, and settles their runs. An occurrence is a row: of several servers at once, the
// one that inserts it runs it. What a server leaves unfinished is taken up by the next round, on whichever server.

import { v7 as uuid } from 'uuid'
import type { ModelProvider } from '../../ai/models/model-provider.ts'
import type { DailyBudget } from '../../ai/usage/budget.ts'
import type { Prices } from '../../ai/usage/prices.ts'
import type { UserMessage } from '../../contract/companion/companion.ts'
import type { Published } from '../../contract/events/live.ts'
import type { Actor } from '../../core/actor.ts'
import { AppError } from '../../core/errors.ts'
import type { Logger } from '../../core/logger.ts'
import type { Calendar } from '../../core/schedule/calendar.ts'
import type { Database, Tx } from '../../db/pool.ts'
import type { AgentRow } from '../../db/repos/agents.ts'
import { createConversationTitlesRepo } from '../../db/repos/conversation_titles.ts'
import { createConversationsRepo, runKey } from '../../db/repos/conversations.ts'
import { createRoutineRunsRepo, type RoutineRunRow } from '../../db/repos/routine_runs.ts'
import { createRoutinesRepo, type EventTerms, type RoutineRow } from '../../db/repos/routines.ts'
import { createTurnsRepo, type TurnRow } from '../../db/repos/turns.ts'
import { isSpent } from './is-spent.ts'
import { nextTimes, planRun } from './plan-run.ts'
import { noModelText } from './routine-turn.ts'
import { endRun, failRun, pauseRejected, settleEnded, tooLongText } from './settle-run.ts'

export type RunDeps = {
  database: Database
  logger: Logger
  calendar: Calendar
  prices: Prices
  models: Pick<ModelProvider, 'current'>
  budget: Pick<DailyBudget, 'refusal'>
  live: { publish(event: Published): void }
  companion: RoutineCompanion
  /** Default: a minute, and a quarter of an hour. */
  eventTerms?: EventTerms
}

type RoutineCompanion = {
  /** The companion that answers in a Space. Throws a 404 `AppError` for one that does not. */
  agent(spaceId: string, agentId?: string | null): Promise<AgentRow>
  start(
    actor: Actor,
    request: {
      space_id: string
      message: UserMessage
      conversation_id: string
      agent_id: string
      idempotency_key: string
      queue: true
    },
  ): Promise<TurnRow>
  stop(turnId: string): Promise<unknown>
}

/** Runs at once, over all servers: the owner's own messages are not to wait behind them. */
const maxOpenRuns = 4

/** A run that takes longer holds up no other: it counts no more among those at once. */
const slowMs = 2 * 60_000

/** A run that takes longer is ended from outside: the clock of its turn did not end it. */
const stuckMs = 10 * 60_000

const maxPerRound = 100

/** What comes in one sync, or while the owner writes, is one run. */
const eventTerms: EventTerms = { settleMs: 60_000, patienceMs: 15 * 60_000 }

/** How long a routine waits for its own run that has not ended. */
const busyMs = 60_000

const actor: Actor = { kind: 'system', name: 'routines' }

/** Settles what has ended, starts what is to run again, and starts what is due, until nothing is left or all is busy. */
export async function runDueRoutines(deps: RunDeps, signal: AbortSignal): Promise<void> {
  const { database, calendar } = deps
  await settleEnded(deps)
  await endStuck(deps)
  await createRoutinesRepo(database).takeEvents(calendar.now(), deps.eventTerms ?? eventTerms)
  const runs = createRoutineRunsRepo(database)
  for (const run of await runs.listWithoutTurn(maxPerRound)) await startRun(deps, run)
  for (const failed of await runs.listRetries(calendar.now(), maxPerRound)) {
    const run = await runs.retry(failed.id, calendar.now())
    if (run) await startRun(deps, run)
  }
  for (let round = 0; round < maxPerRound && !signal.aborted; round += 1) {
    const due = await createRoutinesRepo(database).listDue(calendar.now(), maxPerRound)
    if (due.length === 0) return
    for (const { id } of due) {
      signal.throwIfAborted()
      if ((await runs.countOpen(before(deps, slowMs))) >= maxOpenRuns) return
      await fire(deps, id)
    }
  }
}

const before = ({ calendar }: Pick<RunDeps, 'calendar'>, ms: number): Date =>
  new Date(calendar.now().getTime() - ms)

/** Ends runs that have not ended by themselves; their turns are told to stop, and not waited for. */
async function endStuck(deps: RunDeps): Promise<void> {
  const { database, companion, logger } = deps
  for (const run of await createRoutineRunsRepo(database).listStuck(before(deps, stuckMs), maxPerRound)) {
    const { id, routine_id, turn_id } = run
    logger.warn({ routine_id, run_id: id, turn_id }, 'routine ended: it took too long')
    const row = await createRoutinesRepo(database).find(routine_id)
    if (row) await failRun(deps, row, run, { problem: tooLongText, mayRetry: true })
    else await endRun(deps, run, { status: 'failed', problem: tooLongText })
    if (turn_id) companion.stop(turn_id).catch((err) => logger.warn({ err, turn_id }, 'turn not stopped'))
  }
}

/** Inserts the run of a routine that is due, and starts it. */
async function fire(deps: RunDeps, id: string): Promise<void> {
  const refusal = await deps.budget.refusal()
  const run = await deps.database.transaction((tx) => begin(deps, tx, { id, refusal }))
  if (run) await startRun(deps, run)
}

async function begin(
  deps: RunDeps,
  tx: Tx,
  { id, refusal }: { id: string; refusal: string | null },
): Promise<RoutineRunRow | null> {
  const now = deps.calendar.now()
  const routines = createRoutinesRepo(tx)
  const row = await routines.lock(id)
  if (!row?.enabled || row.next_start_at === null) return null
  if (new Date(row.computed_at) > now) {
    // A clock that was ahead worked these times out. What was set off by an event stays due.
    const at = now.toISOString()
    await routines.update(id, row.event ? { next_start_at: at, computed_at: at } : nextTimes(row, now, now))
    return null
  }
  if (new Date(row.next_start_at) > now) return null
  const plan = planRun(row, now)
  const runs = createRoutineRunsRepo(tx)
  const isBusy = (await runs.findOpen(id)) !== null
  if (plan?.action === 'wait' || isBusy) {
    const until = plan?.action === 'wait' ? plan.until : new Date(now.getTime() + busyMs)
    await routines.update(id, { next_start_at: until.toISOString() })
    return null
  }
  if (!plan || (await pauseRejected(deps, tx, row))) return null
  await routines.update(id, nextTimes(row, now, now))
  if (row.event) await routines.passEvents(id)
  const problem = plan.action === 'skip' ? plan.problem : await obstacle(deps, tx, row, refusal)
  await runs.dropRetries(id)
  const inserted = await runs.insert(
    newRun(row, { due: plan.due, by: row.event ? 'event' : 'schedule', now, problem }),
  )
  return problem === null ? inserted : null
}

type NewRunOf = {
  due: Date
  by: RoutineRunRow['started_by']
  now: Date
  problem?: string | null
  dry?: boolean
}

export const newRun = (
  { id: routine_id }: Pick<RoutineRow, 'id'>,
  { due, by, now, problem = null, dry = false }: NewRunOf,
): RoutineRunRow => ({
  id: uuid(),
  routine_id,
  due_at: due.toISOString(),
  started_by: by,
  dry,
  attempt: 1,
  started_at: problem === null ? now.toISOString() : null,
  ended_at: problem === null ? null : now.toISOString(),
  status: problem === null ? null : 'skipped',
  problem,
  retry_at: null,
  turn_id: null,
  cost_usd: null,
})

/** Why a run that is due is skipped; `null`: it runs. */
async function obstacle(
  { calendar, models }: Pick<RunDeps, 'calendar' | 'models'>,
  tx: Tx,
  row: RoutineRow,
  refusal: string | null,
): Promise<string | null> {
  // Code costs nothing, and needs no model: one is asked only where it may be paid for.
  if (row.ready) return null
  const runs = createRoutineRunsRepo(tx)
  if (models.current(row.model).mode === 'offline') {
    // It says so once.
    return (await runs.lastProblem(row.id)) === noModelText ? noModelText : null
  }
  if (row.budget_usd === 0) return 'Its budget is $0, so no model may be called.'
  if (refusal !== null) return 'The daily budget of this server was used up.'
  return (await isSpent(tx, row, calendar.now())) ? 'Its budget of the day was used up.' : null
}

/** Starts the turn of a run, once however often it is called. A server that is stopping leaves it to the next. */
export async function startRun(deps: RunDeps, run: RoutineRunRow): Promise<TurnRow | null> {
  const { database, logger, live } = deps
  const row = await createRoutinesRepo(database).find(run.routine_id)
  if (!row) {
    await endRun(deps, run, { status: 'skipped', problem: 'The routine was deleted.' })
    return null
  }
  try {
    const turn = await startTurn(deps, row, run)
    await createRoutineRunsRepo(database).setTurn(run.id, turn.id)
    live.publish({
      type: 'routine',
      data: { id: row.id, space_id: row.space_id, run_id: run.id, state: 'started' },
    })
    return turn
  } catch (error) {
    const isPassing = error instanceof AppError && error.status >= 500
    logger.warn({ err: error, routine_id: row.id, run_id: run.id }, 'routine not started')
    if (!isPassing) {
      const isGone = error instanceof AppError && error.status === 404
      await failRun(deps, row, run, {
        problem: isGone ? goneText : error instanceof AppError ? error.message : 'It could not be started.',
        mayRetry: !isGone,
        isFinal: isGone,
      })
    }
    return null
  }
}

const goneText = 'Its companion was deleted, or no longer answers in this Space. Choose another one.'

async function startTurn(deps: RunDeps, row: RoutineRow, run: RoutineRunRow): Promise<TurnRow> {
  const { database } = deps
  const idempotency_key = runKey(run)
  const known = await createTurnsRepo(database).findByIdempotencyKey(row.space_id, idempotency_key)
  if (known) return known
  const agent = await deps.companion.agent(row.space_id, row.agent_id)
  const conversation_id = await openThread(database, row, agent.id)
  const routine = {
    run_id: run.id,
    routine_id: row.id,
    name: row.name,
    dry: run.dry,
    ...(row.ready ? { ready: row.ready } : {}),
  }
  return await deps.companion.start(actor, {
    space_id: row.space_id,
    message: { text: row.instruction, routine },
    conversation_id,
    agent_id: agent.id,
    idempotency_key,
    queue: true,
  })
}

/** The thread of a routine. It is archived, so that the owner's messages are not routed into it. */
async function openThread(database: Database, row: RoutineRow, agentId: string): Promise<string> {
  return await database.transaction(async (tx) => {
    const conversations = createConversationsRepo(tx)
    const routine = (await createRoutinesRepo(tx).lock(row.id)) ?? row
    const found = routine.conversation_id && (await conversations.find(row.space_id, routine.conversation_id))
    const thread =
      found && found.agent_id === agentId ? found : await conversations.insert(row.space_id, agentId, actor)
    if (thread !== found) {
      await createConversationTitlesRepo(tx).rename(row.space_id, thread.id, row.name)
      await conversations.setArchived(row.space_id, thread.id, true)
      await createRoutinesRepo(tx).update(row.id, { conversation_id: thread.id })
    }
    await conversations.mark(row.space_id, thread.id, { model: row.model })
    return thread.id
  })
}

// Runs a research run as far as a turn carries it: to its end, to a pause, to a stop. The order of stages is next-stage.ts,
// each result is stored before the next stage begins, and every write names the lease of the turn.

import { addUsage, ModelError, noUsage, type Usage } from '../../ai/model.ts'
import { type CurrentModel, replacedName } from '../../ai/models/model-provider.ts'
import type { ResearchRules } from '../../contract/companion/research-settings.ts'
import type { ResearchEvent, ResearchStageName } from '../../contract/research.ts'
import { createResearchRunsRepo, type ResearchRunRow } from '../../db/repos/research_runs.ts'
import type { ResearchStageRow, StageEnd } from '../../db/repos/research_stages.ts'
import { loadState } from './load-state.ts'
import { LeaseLost, openRun } from './open-run.ts'
import { answerText, planText, replyHint } from './output/answer-text.ts'
import { addSettlement, createAsk, nothingUsed, type Settlement, sortMessage } from './run/ask-model.ts'
import { BudgetReached, checkBudget, spentBy } from './run/budget.ts'
import { stageLimits } from './run/depths.ts'
import { createFindOwn } from './run/find-passages.ts'
import { nextStage } from './run/next-stage.ts'
import { confirmText, pauseText, raiseHint } from './run/pause-text.ts'
import { loadResearchRules } from './run/research-settings.ts'
import {
  createStep,
  type ResearchDeps,
  type ResearchTurn,
  type RunState,
  type StageContext,
  type StageResult,
} from './run/stage.ts'
import type { Calibration } from './stages/calibrate.ts'
import { stages } from './stages/stages.ts'
import { createRunStorage, type RunStorage } from './store-run.ts'

/** How the turn ends. */
type ResearchEnd = {
  stopReason: string
  usage: Usage | null
  error: { code: string; message: string; retryable: boolean } | null
}

/** The run was left, or nothing waits any more: these words are to be answered without research. */
type ResearchLeft = { left: string }

export type RunResearch = (turn: ResearchTurn) => Promise<ResearchEnd | ResearchLeft>

/**
 * Throws `LeaseLost`, and the reason of the turn's signal when that is aborted for another reason than a stop by the
 * owner: then the run is left as it is to whoever takes the turn over.
 */
export function createRunResearch(deps: ResearchDeps): RunResearch {
  return async (turn) => {
    const opened = await openRun(deps, turn, await sortMessage(deps, turn))
    if ('left' in opened) {
      if (opened.from) turn.emit({ type: 'status', data: { message: leftText } })
      return { left: opened.left }
    }
    if ('said' in opened) {
      if (opened.waits) await showWaiting(deps, turn, opened.waits)
      say(turn, opened.said)
      return { stopReason: opened.waits ? 'paused' : 'end_turn', usage: null, error: null }
    }
    const storage = createRunStorage(deps.database, turn, opened.run.id)
    let state = await loadState(deps.database, opened.run)
    if (state.stages.some(({ status }) => status === 'started')) {
      await storage.closeInterrupted()
      state = await loadState(deps.database, opened.run)
    }
    replayStages(turn, state)
    if (opened.run.status === 'paused') {
      // An earlier attempt came as far as this.
      say(
        turn,
        opened.run.break_out ? confirmText(opened.run.break_out) : pauseText(opened.run, state.stages),
      )
      return { ...paused, usage: usageOf(turn, state) }
    }
    const rules = await loadResearchRules(deps.database, turn.agent.id)
    const { end, state: final } = await drive({ ...deps, rules }, turn, storage, state)
    return { ...end, usage: usageOf(turn, final) }
  }
}

const leftText = 'Research left. It can be resumed under Research.'

/** To the readers of this turn: the stage at which the run still waits. */
async function showWaiting(deps: ResearchDeps, turn: ResearchTurn, run: ResearchRunRow): Promise<void> {
  const state = await loadState(deps.database, run)
  const row = state.stages.at(-1)
  if (row) turn.emit({ type: 'research', data: toEvent(state, row, { status: 'paused', started: null }) })
}

type RunDeps = StageContext['deps'] & { rules: ResearchRules }

type Driven = { end: Omit<ResearchEnd, 'usage'>; state: RunState }

async function drive(
  given: ResearchDeps & { rules: ResearchRules },
  turn: ResearchTurn,
  storage: RunStorage,
  first: RunState,
): Promise<Driven> {
  const drafts = createResearchRunsRepo(given.database)
  const deps: RunDeps = { ...given, findOwn: createFindOwn({ search: given.search, drafts }) }
  let state = first
  for (let name = nextStage(state); name !== null; name = nextStage(state)) {
    if (turn.signal.aborted) return await stopped(turn, storage, state)
    const step = await runStage(deps, turn, storage, state, name)
    state = step.state
    if (step.end) return { end: step.end, state }
  }
  const { text, citations } = answerText(state.run.answer!)
  say(turn, text)
  for (const citation of citations) turn.emit({ type: 'citation', data: citation })
  if (state.run.pending_change_id) await turn.emitDraft(state.run.pending_change_id)
  return { end: finished, state }
}

const finished = { stopReason: 'end_turn', error: null }
const paused = { stopReason: 'paused', error: null }

type Step = { state: RunState; end: Driven['end'] | null }

async function runStage(
  deps: RunDeps,
  turn: ResearchTurn,
  storage: RunStorage,
  before: RunState,
  name: ResearchStageName,
): Promise<Step> {
  const started = performance.now()
  const begun = await storage.begin(before, name)
  const emit = (state: RunState, row: ResearchStageRow, status: ResearchEvent['status']) =>
    turn.emit({ type: 'research', data: toEvent(state, row, { status, started }) })
  emit(begun.state, begun.row, 'started')
  let settled: Settlement = nothingUsed
  try {
    const context = createContext(deps, turn, storage, begun, (settlement) => {
      settled = addSettlement(settled, settlement)
    })
    const result = await stages[name].run(context)
    const { state, row } = await storage.finish(begun.state, begun.row, result, settled)
    emit(state, row, result.status)
    return { state, end: result.status === 'paused' ? pauseFor(turn, state, result) : null }
  } catch (error) {
    const early = earlyEnd(turn, begun, error)
    if (!early) throw error
    if (early.isUnexpected)
      deps.logger.error({ err: error, run_id: before.run.id, stage: name }, 'research stage failed')
    const { state, row } = await storage.finish(begun.state, begun.row, early.outcome, settled)
    emit(state, row, early.outcome.run.status === 'paused' ? 'paused' : 'failed')
    say(turn, early.said)
    return { state, end: early.end }
  }
}

type Begun = { state: RunState; row: ResearchStageRow }

function createContext(
  deps: RunDeps,
  turn: ResearchTurn,
  storage: RunStorage,
  { state, row }: Begun,
  onSettled: (settlement: Settlement) => void,
): StageContext {
  const { stage } = row
  const step = createStep(turn, row)
  const { maxTokens } = stageLimits[stage]
  const askOf = (model: CurrentModel) =>
    createAsk({
      ...{ deps, turn, model, maxTokens, step, onSettled },
      async reserve(reservation) {
        // The row of this stage holds no reservation yet.
        checkBudget(state.run, state.stages, { stage, reservation })
        await storage.reserve(row, reservation)
      },
    })
  const judge = (turn.model.name === replacedName ? null : deps.judge()) ?? turn.model
  return {
    deps,
    turn,
    state,
    depth: deps.rules.depths[state.run.depth],
    rules: deps.rules,
    online: turn.model.mode === 'online',
    step,
    ask: askOf(turn.model).one,
    judge: { model: judge.name, ask: askOf(judge).each },
  }
}

type Early = {
  outcome: StageEnd & { run: Partial<ResearchRunRow> }
  said: string
  end: Driven['end']
  isUnexpected?: boolean
}

/** Why a stage did not come to its end; `null` for what is no business of the run, which is left as it is. */
function earlyEnd(turn: ResearchTurn, { state, row }: Begun, error: unknown): Early | null {
  const none = { counts: {}, result: null }
  if (error instanceof BudgetReached) {
    const { message: summary, needs } = error
    const run = { status: 'paused' as const, pause: 'budget' as const }
    return {
      outcome: { ...none, status: 'stopped', summary, result: { needs }, run },
      said: `${summary}\n\n${raiseHint(state.run, needs)}`,
      end: paused,
    }
  }
  if (turn.signal.aborted && turn.isStopped())
    return {
      outcome: { ...none, status: 'stopped', summary: 'Stopped.', run: stoppedRun },
      said: stoppedText,
      end: stoppedEnd,
    }
  if (turn.signal.aborted || error instanceof LeaseLost) return null
  const { code, message, retryable } = error instanceof ModelError ? error : stageFailed
  const run = { status: 'failed' as const, pause: null, error: { code, message } }
  return {
    outcome: { ...none, status: 'failed', summary: message, run },
    said: `The stage ${row.stage} failed. Everything so far is kept; resume under Research.`,
    end: { stopReason: 'error', error: { code, message, retryable } },
    isUnexpected: !(error instanceof ModelError),
  }
}

const stageFailed = {
  code: 'research_failed',
  message: 'Something went wrong in Void. Everything so far is kept; resume the run.',
  retryable: true,
}

const stoppedText = 'Research stopped. Everything so far is kept; resume under Research.'
const stoppedRun = { status: 'stopped', pause: null } as const
const stoppedEnd = { stopReason: 'aborted', error: null }

/** Stopped between two stages. */
async function stopped(turn: ResearchTurn, storage: RunStorage, state: RunState): Promise<Driven> {
  if (!turn.isStopped()) throw turn.signal.reason
  const next = await storage.save(state, stoppedRun)
  say(turn, stoppedText)
  return { end: stoppedEnd, state: next }
}

function pauseFor(turn: ResearchTurn, { run }: RunState, { result }: StageResult): Driven['end'] {
  if (run.pause === 'plan') say(turn, `${planText(run.plan!, run)}\n\n${replyHint}`)
  else {
    const { changes } = result as Calibration
    const lines = changes.map(({ from, to, why }) => `- ${from} → ${to}${why && ` (${why})`}`)
    say(turn, `Corrected against what this Space holds:\n\n${lines.join('\n')}\n\n${replyHint}`)
  }
  return paused
}

const say = (turn: ResearchTurn, text: string) => turn.emit({ type: 'delta', data: { text } })

/** To the readers of this turn, what of the run was done before by an earlier attempt at it. */
function replayStages(turn: ResearchTurn, state: RunState): void {
  for (const row of state.stages) {
    if (row.turn_id !== turn.turn.id || row.status === 'started' || row.status === 'stopped') continue
    turn.emit({ type: 'research', data: toEvent(state, row, { status: row.status, started: null }) })
  }
}

function toEvent(
  { run, stages: rows }: RunState,
  { stage, summary, counts }: ResearchStageRow,
  { status, started }: { status: ResearchEvent['status']; started: number | null },
): ResearchEvent {
  const { usd } = spentBy(rows)
  const isOver = status !== 'started'
  return {
    run_id: run.id,
    stage,
    status,
    ...(isOver ? { summary, counts } : {}),
    ...(usd === null ? {} : { cost: usd }),
    ...(isOver && started !== null ? { duration_ms: Math.round(performance.now() - started) } : {}),
  }
}

const usageOf = ({ turn }: ResearchTurn, { stages: rows }: RunState): Usage =>
  rows
    .filter(({ turn_id }) => turn_id === turn.id)
    .reduce((sum, { usage }) => (usage ? addUsage(sum, usage) : sum), noUsage)

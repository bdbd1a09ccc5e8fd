// What a stage is: a function from what a run has come to so far to what it adds. The driver stores each result before
// the next stage begins, so a stage writes nothing itself.

import type { z } from 'zod'
import { ModelError } from '../../../ai/model.ts'
import type { CurrentModel } from '../../../ai/models/model-provider.ts'
import type { SideModels } from '../../../ai/models/side-models.ts'
import type { DailyBudget } from '../../../ai/usage/budget.ts'
import type { Prices } from '../../../ai/usage/prices.ts'
import type { ProposeChange } from '../../../changes/propose/propose.ts'
import type { DepthSettings, ResearchRules } from '../../../contract/companion/research-settings.ts'
import type { Kinds } from '../../../contract/entities/kinds.ts'
import type { ToolEvent, TurnEvent } from '../../../contract/events/events.ts'
import type { ResearchAsk, ResearchClaim, ResearchStageName } from '../../../contract/research.ts'
import type { SearchItem } from '../../../contract/space/search.ts'
import type { AgentActor } from '../../../core/actor.ts'
import type { Logger } from '../../../core/logger.ts'
import type { Calendar } from '../../../core/schedule/calendar.ts'
import type { Database } from '../../../db/pool.ts'
import type { AgentRow } from '../../../db/repos/agents.ts'
import type { ResearchRunRow } from '../../../db/repos/research_runs.ts'
import type { ResearchEvidenceRow, ResearchStageRow, StageEnd } from '../../../db/repos/research_stages.ts'
import type { Lease } from '../../../db/repos/turn_steps.ts'
import type { TurnRow } from '../../../db/repos/turns.ts'
import type { TextThreads } from '../../../jobs/workers/text-threads.ts'
import type { OutsideTools } from '../../../outside/sources/outside-tools.ts'
import type { Search } from '../../../search/search.ts'

export type ResearchDeps = {
  database: Database
  kinds: Kinds
  search: Pick<Search, 'show'>
  outsideTools: Pick<OutsideTools, 'searchTools' | 'call'>
  threads: TextThreads
  proposeChange: ProposeChange
  sideModels: Pick<SideModels, 'small'>
  budget: Pick<DailyBudget, 'refusal'>
  prices: Prices
  /** Judges claims in place of the model that writes; `null`: that one does. */
  judge: () => CurrentModel | null
  calendar: Calendar
  logger: Logger
}

/** A turn that carries a run, or a part of it. */
export type ResearchTurn = {
  turn: TurnRow
  lease: Lease
  agent: AgentRow
  actor: AgentActor
  model: CurrentModel
  /** What the owner wrote. */
  text: string
  /** The owner’s lines of memory, which count as given to this turn from then on. */
  remember: () => Promise<string[]>
  ask: ResearchAsk
  signal: AbortSignal
  /** Whether `signal` was aborted because the owner wants the turn to stop; else somebody else goes on with it. */
  isStopped: () => boolean
  emit: (event: TurnEvent) => void
  /** Emits a draft with its card. */
  emitDraft: (pendingChangeId: string) => Promise<void>
}

/** Whether the owner started the run, is there to be asked, and gets a page of it. */
export const isAttended = ({ asked_by }: Pick<ResearchRunRow, 'asked_by'>): boolean => asked_by === null

/** How a stage ends that has something for the owner to look at. */
export const waitAt = (
  run: Pick<ResearchRunRow, 'asked_by'>,
  pause: 'plan' | 'calibration',
): Pick<StageResult, 'status'> & { run: Partial<ResearchRunRow> } =>
  isAttended(run) ? { status: 'paused', run: { status: 'paused', pause } } : { status: 'done', run: {} }

/** What a run has come to, as it is stored. */
export type RunState = {
  run: ResearchRunRow
  stages: readonly ResearchStageRow[]
  evidence: readonly ResearchEvidenceRow[]
  claims: readonly ResearchClaim[]
}

/**
 * Runs a part of a stage, which is sent as it begins and as it ends. `work` is given the id of the call, and says in words
 * what came of it. Throws what `work` throws.
 */
export type RunStep = <Result>(
  call: Pick<ToolEvent, 'tool' | 'args'>,
  work: (tool_use_id: string) => Promise<{ result: Result; summary: string; isFailed?: boolean }>,
) => Promise<Result>

export type ModelQuestion<Schema extends z.ZodType> = {
  system: string
  content: string
  schema: Schema
}

/** Passages of the Space, best first, at most so many. */
export type FindOwn = (question: {
  space_id: string
  q: string
  kinds: readonly string[]
  limit: number
}) => Promise<SearchItem[]>

export type StageContext = {
  deps: ResearchDeps & { findOwn: FindOwn }
  turn: ResearchTurn
  state: RunState
  depth: DepthSettings
  rules: ResearchRules
  /** Without a model, rules do what they can. */
  online: boolean
  /**
   * Asks the model for one JSON value; `null` when its answer is none, or another one. To be called once in a stage.
   * Throws `BudgetReached` instead of making a call that cannot be paid, and what the model throws.
   */
  ask: <Schema extends z.ZodType>(question: ModelQuestion<Schema>) => Promise<z.output<Schema> | null>
  /** The model that judges claims. Each question is a call of its own; `null` where it failed or answered something else. */
  judge: {
    model: string
    ask: <Schema extends z.ZodType>(
      questions: readonly ModelQuestion<Schema>[],
    ) => Promise<(z.output<Schema> | null)[]>
  }
  step: RunStep
}

export type StageResult = StageEnd & {
  status: 'done' | 'paused' | 'skipped'
  /** Of the run, what becomes different. */
  run?: Partial<ResearchRunRow>
  /** In place of what there is. */
  evidence?: ResearchEvidenceRow[]
  claims?: ResearchClaim[]
}

export type Stage = { name: ResearchStageName; run: (context: StageContext) => Promise<StageResult> }

/** The tools that a step of a stage can name, besides those that search. */
export const modelTool = 'model'

export const verifyTool = 'verify_claims'

export function createStep(
  { emit }: Pick<ResearchTurn, 'emit'>,
  { stage, seq }: Pick<ResearchStageRow, 'stage' | 'seq'>,
): RunStep {
  let count = 0
  return async (call, work) => {
    count += 1
    const place = { ...call, tool_use_id: `${stage}_${seq}_${count}`, parent_id: stage }
    const send = (data: Pick<ToolEvent, 'status' | 'summary' | 'duration_ms'>) =>
      emit({ type: 'tool', data: { ...place, ...data, substep: substepOf(call.tool, data.status) } })
    const started = performance.now()
    const end = (status: 'done' | 'error', summary: string) =>
      send({ status, summary, duration_ms: Math.round(performance.now() - started) })
    send({ status: 'running' })
    try {
      const { result, summary, isFailed } = await work(place.tool_use_id)
      end(isFailed ? 'error' : 'done', summary)
      return result
    } catch (error) {
      end('error', error instanceof ModelError ? error.message : 'Interrupted')
      throw error
    }
  }
}

/** What a step of a stage is: a call of the model, of a tool that searches, or work of code. */
function substepOf(tool: string, status: ToolEvent['status']): ToolEvent['substep'] {
  const isBegun = status === 'running'
  if (tool === modelTool) return isBegun ? 'llm_start' : 'llm_complete'
  if (tool === verifyTool) return 'status'
  return isBegun ? 'mcp_start' : 'mcp_result'
}

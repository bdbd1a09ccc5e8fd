// "Test this model": ten tasks with the connected model, in a Space of a store of its own that is removed afterwards. The
// owner starts it, knowing what it costs; its calls count as tests in the owner's usage, and under the day's budget.

import { addUsage, noUsage } from '../../ai/model.ts'
import type { CurrentModel, ModelProvider } from '../../ai/models/model-provider.ts'
import type { SideModels } from '../../ai/models/side-models.ts'
import type { DailyBudget } from '../../ai/usage/budget.ts'
import { costOf, type Prices, priceOf } from '../../ai/usage/prices.ts'
import type { TrialEvent, TrialPlan } from '../../contract/companion/trial.ts'
import { conflict } from '../../core/errors.ts'
import type { Logger } from '../../core/logger.ts'
import { describeModel, wordsOf } from './describe-model.ts'
import type { TrialParts } from './run-task.ts'
import { runTrial, type TaskResult } from './run-trial.ts'
import { readTasks } from './task.ts'
import { makeTrialSpace } from './trial-space.ts'

/** Opens a Void over an empty store, with these models. `close` removes the store. */
export type OpenTrial = (models: ModelProvider) => Promise<TrialParts & { close(): Promise<void> }>

export type ModelTrial = {
  /** What a trial would take. Throws a 409 `AppError` `no_model` while none is connected. */
  plan(): TrialPlan
  /**
   * Runs the tasks. The last event is `result` or `error`; none comes after the signal is aborted. Throws a 409 `AppError`:
   * `no_model`, `trial_running`, `model_changed` where another model than the one named is connected by now.
   */
  start(model: string, signal: AbortSignal): AsyncGenerator<TrialEvent>
}

type ModelTrialDeps = {
  models: Pick<ModelProvider, 'current'>
  sideModels: Pick<SideModels, 'measured'>
  budget: Pick<DailyBudget, 'refusal'>
  prices: Prices
  open: OpenTrial
  logger: Logger
}

/** Tokens of a task. A model that makes no detour takes 8,000 and 150. */
const perTask = { input: 12_000, output: 600 }
/** Failed turns at the beginning after which it ends. */
const maxErrors = 2
const call = { purpose: 'test', space_id: null, conversation_id: null, turn_id: null } as const

export function createModelTrial(deps: ModelTrialDeps): ModelTrial {
  const { models, prices } = deps
  let isRunning = false

  return {
    plan() {
      const { name } = currentOf(models)
      const tasks = readTasks().length
      const usage = { ...noUsage, input_tokens: tasks * perTask.input, output_tokens: tasks * perTask.output }
      const { input_tokens, output_tokens } = usage
      const price = priceOf(prices, name)
      return { model: name, tasks, input_tokens, output_tokens, cost: price && costOf(price, usage) }
    },

    start(model, signal) {
      const current = currentOf(models)
      if (current.name !== model)
        throw conflict('model_changed', `${current.name} is connected now. Look at the estimate again.`)
      if (isRunning) throw conflict('trial_running', 'A model is being tested. Wait until it is done.')
      isRunning = true
      return takeTrial(deps, current, signal, () => {
        isRunning = false
      })
    },
  }
}

function currentOf(models: ModelTrialDeps['models']): CurrentModel {
  const current = models.current()
  if (current.mode === 'offline') throw conflict('no_model', 'No model is connected. Connect one first.')
  return current
}

async function* takeTrial(
  deps: ModelTrialDeps,
  current: CurrentModel,
  signal: AbortSignal,
  onEnd: () => void,
): AsyncGenerator<TrialEvent> {
  const measured = deps.sideModels.measured(current, call)
  const provider: ModelProvider = {
    current: () => measured,
    small: () => null,
    list: async () => ({ models: [], problem: null }),
  }
  let parts: Awaited<ReturnType<OpenTrial>> | null = null
  try {
    yield* refuseOverBudget(deps)
    parts = await deps.open(provider)
    const space = await makeTrialSpace(parts)
    const tasks = readTasks()
    const results: TaskResult[] = []
    const errors: string[] = []
    yield { type: 'task', data: { done: 0, of: tasks.length, next: tasks[0]?.say ?? null } }
    for await (const { result, outcome } of runTrial(parts, space, tasks, signal)) {
      results.push(result)
      if (outcome.error !== null) errors.push(outcome.error)
      // Nothing works: the others would only take as long to fail.
      if (errors.length === maxErrors && results.length === maxErrors) throw new Error(errors.at(-1))
      const next = tasks[results.length]?.say ?? null
      yield { type: 'task', data: { done: results.length, of: tasks.length, next } }
      if (next !== null) yield* refuseOverBudget(deps)
    }
    yield { type: 'result', data: toResult(deps, current.name, results) }
  } catch (error) {
    if (signal.aborted || error === overBudget) return
    deps.logger.warn({ err: error }, 'model trial failed')
    const message = error instanceof Error ? error.message : String(error)
    yield { type: 'error', data: { code: 'trial_failed', message } }
  } finally {
    // Only then may another one begin: it uses the same folder.
    await parts?.close().finally(onEnd)
    if (!parts) onEnd()
  }
}

const overBudget = new Error('over budget')

/** Throws `overBudget` after telling of it. */
async function* refuseOverBudget({ budget }: ModelTrialDeps): AsyncGenerator<TrialEvent> {
  const message = await budget.refusal()
  if (message === null) return
  yield { type: 'error', data: { code: 'budget_spent', message } }
  throw overBudget
}

function toResult({ prices }: ModelTrialDeps, model: string, results: readonly TaskResult[]) {
  const usage = results.reduce((sum, result) => addUsage(sum, result.usage), noUsage)
  const price = priceOf(prices, model)
  const says = new Map(readTasks().map(({ id, say }) => [id, say]))
  return {
    model,
    sentences: describeModel(results),
    tasks: results.map(({ id, failures }) => ({
      say: says.get(id) ?? id,
      done: failures.length === 0,
      reasons: [...new Set(failures.map(({ code }) => wordsOf(code)))],
    })),
    usage,
    cost: price && costOf(price, usage),
    duration_ms: results.reduce((sum, { ms }) => sum + ms, 0),
  }
}

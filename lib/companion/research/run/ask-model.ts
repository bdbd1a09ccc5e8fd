// Questions to a model, each for one JSON value. Reserved before, settled after.

import { z } from 'zod'
import { addUsage, ModelError, type ModelResponse, noUsage, readJsonAnswer } from '../../../ai/model.ts'
import { type CurrentModel, replacedName } from '../../../ai/models/model-provider.ts'
import { prompts } from '../../../ai/prompts/prompts.ts'
import { costOf, type Price, priceOf } from '../../../ai/usage/prices.ts'
import type { Usage } from '../../../contract/events/events.ts'
import { createResearchRunsRepo, type ResearchRunRow } from '../../../db/repos/research_runs.ts'
import type { Reservation } from '../../../db/repos/research_stages.ts'
import { describePlan } from '../output/answer-text.ts'
import { isUnclear, type Sorted } from '../rules/read-message.ts'
import { BudgetReached, count, reservationFor } from './budget.ts'
import { mapConcurrently } from './find-passages.ts'
import { type ModelQuestion, modelTool, type ResearchDeps, type ResearchTurn, type RunStep } from './stage.ts'

/** What the calls of a stage have cost, or, of one that was cut off, may have cost. */
export type Settlement = { usage: Usage | null; tokens: number; cost: number | null }

export const nothingUsed: Settlement = { usage: null, tokens: 0, cost: null }

/** Characters of an answer that are looked at; what is longer is no answer. */
const maxAnswer = 200_000

type AskDeps = {
  deps: ResearchDeps
  turn: Pick<ResearchTurn, 'signal'>
  model: CurrentModel
  maxTokens: number
  step: RunStep
  /** Stores what the calls may cost, or throws `BudgetReached`. */
  reserve: (reservation: Reservation) => Promise<void>
  onSettled: (settlement: Settlement) => void
}

/** Calls of several questions that run at once. */
const atOnce = 4

/** Asks questions of one model. All of them are reserved before the first is asked. */
export function createAsk({ deps, turn, model, maxTokens, step, reserve, onSettled }: AskDeps) {
  const price = priceOf(deps.prices, model.name)

  return {
    async one<Schema extends z.ZodType>(question: ModelQuestion<Schema>): Promise<z.output<Schema> | null> {
      await reserveAll([question])
      return await call(question)
    },

    /** `null` also for a call that failed. */
    async each<Schema extends z.ZodType>(
      questions: readonly ModelQuestion<Schema>[],
    ): Promise<(z.output<Schema> | null)[]> {
      if (questions.length === 0) return []
      await reserveAll(questions)
      return await mapConcurrently(questions, atOnce, async (question) => {
        try {
          return await call(question)
        } catch (error) {
          if (error instanceof ModelError) return null
          throw error
        }
      })
    },
  }

  async function reserveAll(questions: readonly ModelQuestion<z.ZodType>[]): Promise<void> {
    const refusal = await deps.budget.refusal()
    if (refusal) throw new BudgetReached(refusal)
    const each = questions.map(({ system, content }) => reservationFor([system, content], maxTokens, price))
    await reserve({
      tokens: each.reduce((sum, { tokens }) => sum + tokens, 0),
      usd: price && each.reduce((sum, { usd }) => sum + (usd ?? 0), 0),
    })
  }

  async function call<Schema extends z.ZodType>({ system, content, schema }: ModelQuestion<Schema>) {
    return await step({ tool: modelTool, args: { model: model.name } }, async () => {
      const messages = [{ role: 'user' as const, content }]
      const request = { system, messages, tools: [], maxTokens, signal: turn.signal }
      const response = await model.callModel(request).catch((error) => {
        // A call that failed is not charged; one that was cut off may be.
        const { tokens, usd } = reservationFor([system, content], maxTokens, price)
        if (!(error instanceof ModelError)) onSettled({ usage: null, tokens, cost: usd })
        throw error
      })
      onSettled(settle(response, price))
      const result = read(response, schema)
      const { input_tokens, output_tokens } = response.usage
      return { result, summary: `${count(input_tokens + output_tokens)} tokens`, isFailed: result === null }
    })
  }
}

function settle({ usage }: ModelResponse, price: Price | null): Settlement {
  const full = { ...noUsage, ...usage }
  const tokens = Object.values(full).reduce((sum, each) => sum + each, 0)
  return { usage: full, tokens, cost: price && costOf(price, full) }
}

/** What two calls have cost together. */
export const addSettlement = (one: Settlement, other: Settlement): Settlement => ({
  usage: one.usage && other.usage ? addUsage(one.usage, other.usage) : (one.usage ?? other.usage),
  tokens: one.tokens + other.tokens,
  cost: one.cost === null && other.cost === null ? null : (one.cost ?? 0) + (other.cost ?? 0),
})

const read = <Schema extends z.ZodType>({ text }: ModelResponse, schema: Schema) =>
  text.length > maxAnswer ? null : readJsonAnswer(text, schema)

// What a message to a run that waits is, by the small model. It is asked only where exact words decide nothing, and whatever
// goes wrong means that the message changes the plan.

const answer = z.object({
  message: z.enum(['go_on', 'answer', 'something_else']),
  confidence: z.number().min(0).max(1),
})

const minConfidence = 0.7

const maxTokens = 200

const maxMessage = 2000

const timeoutMs = 8000

type Classifier = Pick<ResearchDeps, 'database' | 'sideModels' | 'logger'>

/**
 * To be called before the run is locked: no transaction waits for a model. Throws the reason of the turn's signal when
 * that is aborted.
 */
export async function sortMessage(deps: Classifier, turn: ResearchTurn): Promise<Sorted> {
  const { ask, text, model } = turn
  if ('depth' in ask || ask.go_on || ask.plan) return unsorted
  if (model.mode === 'offline' || model.name === replacedName) return unsorted
  const run = await createResearchRunsRepo(deps.database).findInSpace(ask.run_id, turn.turn.space_id)
  // A run that an earlier attempt of this turn has taken over was decided about.
  const isAsked = run?.status === 'paused' && run.turn_id !== turn.turn.id && isUnclear(text, run.break_out)
  return isAsked ? await classify(deps, turn, run) : unsorted
}

const unsorted: Sorted = { isElse: false }

async function classify(
  { sideModels, logger }: Classifier,
  { turn, text, signal }: ResearchTurn,
  { plan, question, pause }: ResearchRunRow,
): Promise<Sorted> {
  const { id: turn_id, space_id, conversation_id } = turn
  try {
    const small = await sideModels.small({ purpose: 'routing', space_id, conversation_id, turn_id })
    if (!small) return unsorted
    const content = JSON.stringify({
      research: plan ? describePlan(plan) : question,
      waits_for: pause === 'budget' ? 'a larger budget' : 'the owner to go on, or to change the plan',
      message: text.slice(0, maxMessage).toWellFormed(),
    })
    const response = await small.callModel({
      system: prompts['research-message'].text,
      messages: [{ role: 'user', content }],
      tools: [],
      maxTokens,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    const said = readJsonAnswer(response.text.slice(0, maxMessage), answer)
    if (!said || said.confidence < minConfidence) return unsorted
    return { isElse: said.message === 'something_else', agrees: said.message === 'go_on' }
  } catch (error) {
    signal.throwIfAborted()
    logger.info({ err: error, turn_id }, 'message to research not classified')
    return unsorted
  }
}

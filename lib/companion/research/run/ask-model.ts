// One question to the model, for one JSON value. Reserved before, settled after.

import type { z } from 'zod'
import { ModelError, type ModelResponse, noUsage, readJsonAnswer } from '../../../ai/model.ts'
import { costOf, type Price } from '../../../ai/usage/prices.ts'
import type { Usage } from '../../../contract/events/events.ts'
import type { Reservation } from '../../../db/repos/research_stages.ts'
import { BudgetReached, reservationFor } from './budget.ts'
import type { ModelQuestion, ResearchDeps, ResearchTurn, StageContext } from './stage.ts'
import { modelTool } from './substep.ts'

/** What the calls of a stage have cost, or, of one that was cut off, may have cost. */
export type Settlement = { usage: Usage | null; tokens: number; cost: number | null }

export const nothingUsed: Settlement = { usage: null, tokens: 0, cost: null }

/** Characters of an answer that are looked at; what is longer is no answer. */
const maxAnswer = 200_000

export type AskDeps = {
  deps: ResearchDeps
  turn: Pick<ResearchTurn, 'model' | 'signal'>
  price: Price | null
  maxTokens: number
  emitSubstep: StageContext['emitSubstep']
  substepId: StageContext['substepId']
  /** Stores what the call may cost, or throws `BudgetReached`. */
  reserve: (reservation: Reservation) => Promise<void>
  onSettled: (settlement: Settlement) => void
}

export function createAsk({ deps, turn, price, maxTokens, ...asking }: AskDeps): StageContext['ask'] {
  const { emitSubstep, substepId, reserve, onSettled } = asking

  return async <Schema extends z.ZodType>({ system, content, schema }: ModelQuestion<Schema>) => {
    const refusal = await deps.budget.refusal()
    if (refusal) throw new BudgetReached(refusal)
    const reservation = reservationFor([system, content], maxTokens, price)
    await reserve(reservation)

    const call = { tool: modelTool, tool_use_id: substepId(), args: { model: turn.model.name } }
    emitSubstep({ ...call, status: 'running' })
    const started = performance.now()
    const end = (status: 'done' | 'error', summary: string) =>
      emitSubstep({ ...call, status, summary, duration_ms: Math.round(performance.now() - started) })
    try {
      const response = await turn.model.callModel({
        system,
        messages: [{ role: 'user', content }],
        tools: [],
        maxTokens,
        signal: turn.signal,
      })
      onSettled(settle(response, price))
      const answer = read(response, schema)
      const { input_tokens, output_tokens } = response.usage
      end(answer === null ? 'error' : 'done', `${input_tokens + output_tokens} tokens`)
      return answer
    } catch (error) {
      // A call that failed is not charged; one that was cut off may be.
      if (!(error instanceof ModelError))
        onSettled({ usage: null, tokens: reservation.tokens, cost: reservation.usd })
      end('error', error instanceof ModelError ? error.message : 'Interrupted')
      throw error
    }
  }
}

function settle({ usage }: ModelResponse, price: Price | null): Settlement {
  const full = { ...noUsage, ...usage }
  const tokens = Object.values(full).reduce((sum, each) => sum + each, 0)
  return { usage: full, tokens, cost: price && costOf(price, full) }
}

const read = <Schema extends z.ZodType>({ text }: ModelResponse, schema: Schema) =>
  text.length > maxAnswer ? null : readJsonAnswer(text, schema)

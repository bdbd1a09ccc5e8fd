// What a run may cost. Before a call the most that it can cost is reserved: what goes in, counted, and the longest
// answer. A call that cannot be paid is not made.

import { noUsage } from '../../../ai/model.ts'
import { costOf, type Price } from '../../../ai/usage/prices.ts'
import type { ResearchStageName } from '../../../contract/research.ts'
import { estimateTokens } from '../../../core/text/bounds.ts'
import type { ResearchRunRow } from '../../../db/repos/research_runs.ts'
import type { ResearchStageRow, Reservation } from '../../../db/repos/research_stages.ts'
import { stageLimits } from './depths.ts'

/** The next call does not fit the budget. `message` is a sentence for the owner. */
export class BudgetReached extends Error {
  /** What the whole budget has to be for it; `null` where another limit than the run's was reached. */
  readonly needs: BudgetNeeds | null

  constructor(message: string, needs: BudgetNeeds | null = null) {
    super(message)
    this.name = 'BudgetReached'
    this.needs = needs
  }
}

/** 0 for what is enough already. */
export type BudgetNeeds = { usd: number; tokens: number }

/** What the call that did not fit last needs. */
export function neededBudget(stages: readonly ResearchStageRow[]): BudgetNeeds | null {
  const last = stages.at(-1)
  return last?.status === 'stopped' ? ((last.result as { needs?: BudgetNeeds } | null)?.needs ?? null) : null
}

/** The budget raised to what is needed, and no further. */
export const raisedTo = ({ budget_usd, budget_tokens }: Limits, needs: BudgetNeeds | null): Limits => ({
  budget_usd: Math.max(budget_usd, needs?.usd ?? 0),
  budget_tokens: Math.max(budget_tokens, needs?.tokens ?? 0),
})

/** Tokens that a request costs beside its texts. */
const perRequest = 100

export function reservationFor(
  texts: readonly string[],
  maxTokens: number,
  price: Price | null,
): Reservation {
  const input_tokens = texts.reduce((sum, text) => sum + estimateTokens(text), perRequest)
  const usage = { ...noUsage, input_tokens, output_tokens: maxTokens }
  return { tokens: input_tokens + maxTokens, usd: price && costOf(price, usage) }
}

/** What stages have cost so far; one that has begun counts at what is reserved for it. */
export function spentBy(stages: readonly ResearchStageRow[]): { tokens: number; usd: number | null } {
  let tokens = 0
  let usd: number | null = null
  for (const { status, reserved_tokens, reserved_usd, ...row } of stages) {
    const cost = status === 'started' ? reserved_usd : row.cost
    tokens += status === 'started' ? reserved_tokens : row.tokens
    if (cost !== null) usd = (usd ?? 0) + cost
  }
  return { tokens, usd }
}

type Limits = Pick<ResearchRunRow, 'budget_usd' | 'budget_tokens'>

/** Throws `BudgetReached` when a call does not fit what is left of the run's budget or of the stage's share. */
export function checkBudget(
  run: Limits,
  stages: readonly ResearchStageRow[],
  { stage, reservation }: { stage: ResearchStageName; reservation: Reservation },
): void {
  const { share } = stageLimits[stage]
  const spent = spentBy(stages)
  const own = spentBy(stages.filter((row) => row.stage === stage))
  const tokens = Math.max(spent.tokens + reservation.tokens, (own.tokens + reservation.tokens) / share)
  const { usd: next } = reservation
  const usd = next === null ? 0 : Math.max((spent.usd ?? 0) + next, ((own.usd ?? 0) + next) / share)
  const needs = {
    tokens: tokens > run.budget_tokens ? Math.ceil(tokens / 1000) * 1000 : 0,
    usd: usd > run.budget_usd ? Math.ceil(usd * 100) / 100 : 0,
  }
  if (needs.tokens > 0)
    throw new BudgetReached(
      `The next step could need ${count(reservation.tokens)} tokens. The run has used ${count(spent.tokens)} of ${count(run.budget_tokens)}, and the stage ${stage} may use ${share * 100} %.`,
      needs,
    )
  if (needs.usd > 0)
    throw new BudgetReached(
      `The next step could cost ${dollars(next!)}. The run has used ${dollars(spent.usd ?? 0)} of ${dollars(run.budget_usd)}, and the stage ${stage} may use ${share * 100} %.`,
      needs,
    )
}

export const count = (tokens: number) => Math.round(tokens).toLocaleString('en-US')

/** As it is shown: `$0.42`, and `under $0.01` for less than a cent. */
export const dollars = (usd: number): string => (usd > 0 && usd < 0.01 ? 'under $0.01' : `$${usd.toFixed(2)}`)

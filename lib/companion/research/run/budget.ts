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
  constructor(message: string) {
    super(message)
    this.name = 'BudgetReached'
  }
}

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
  const own = spentBy(stages.filter((row) => row.stage === stage))
  check(run, spentBy(stages), reservation, 'the run')
  check(
    { budget_usd: run.budget_usd * share, budget_tokens: run.budget_tokens * share },
    own,
    reservation,
    `the stage ${stage}`,
  )
}

function check(
  { budget_usd, budget_tokens }: Limits,
  spent: { tokens: number; usd: number | null },
  next: Reservation,
  whose: string,
): void {
  if (spent.tokens + next.tokens > budget_tokens) {
    const words = `${count(spent.tokens)} of ${count(budget_tokens)} tokens`
    throw new BudgetReached(
      `The next step could need ${count(next.tokens)} tokens, and ${whose} has used ${words}.`,
    )
  }
  if (next.usd !== null && (spent.usd ?? 0) + next.usd > budget_usd) {
    const words = `${dollars(spent.usd ?? 0)} of ${dollars(budget_usd)}`
    throw new BudgetReached(`The next step could cost ${dollars(next.usd)}, and ${whose} has used ${words}.`)
  }
}

const count = (tokens: number) => Math.round(tokens).toLocaleString('en-US')

/** As it is shown: `$0.42`, and `under $0.01` for less than a cent. */
export const dollars = (usd: number): string => (usd > 0 && usd < 0.01 ? 'under $0.01' : `$${usd.toFixed(2)}`)

// What each depth allows, where the owner has not set something else. No model can widen it.

import type { DepthSettings } from '../../../contract/companion/research-settings.ts'
import type { ResearchDepth, ResearchStageName } from '../../../contract/research.ts'

const budget_usd = 10

export const depths: Readonly<Record<ResearchDepth, DepthSettings>> = {
  quick: {
    sub_questions: 3,
    passages: 10,
    context_characters: 16_000,
    repairs: 0,
    calibrates: false,
    searches_web: false,
    max_claims: 20,
    budget_usd,
    budget_tokens: 150_000,
  },
  standard: {
    sub_questions: 8,
    passages: 20,
    context_characters: 48_000,
    repairs: 2,
    calibrates: true,
    searches_web: true,
    max_claims: 60,
    budget_usd,
    budget_tokens: 500_000,
  },
  deep: {
    sub_questions: 15,
    passages: 30,
    context_characters: 96_000,
    repairs: 3,
    calibrates: true,
    searches_web: true,
    max_claims: 120,
    budget_usd,
    budget_tokens: 1_200_000,
  },
}

/** The share of a run's budget that a stage may use, all its rounds together, and the tokens of one answer. */
export const stageLimits: Readonly<Record<ResearchStageName, { share: number; maxTokens: number }>> = {
  analyze_query: { share: 0.2, maxTokens: 2000 },
  websearch_calibration: { share: 0.2, maxTokens: 2000 },
  retrieve: { share: 0, maxTokens: 0 },
  synthesize: { share: 0.8, maxTokens: 12_000 },
  verify: { share: 0.4, maxTokens: 2000 },
  output: { share: 0, maxTokens: 0 },
}

/** How often one run may be planned anew. */
export const maxPlans = 20

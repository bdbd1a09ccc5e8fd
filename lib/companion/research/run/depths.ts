// What each depth allows. Rules of code: no model can widen them.

import type { ResearchBudget, ResearchDepth, ResearchStageName } from '../../../contract/research.ts'

export type DepthLimits = {
  subQuestions: number
  /** Passages for each sub-question. */
  passages: number
  /** Characters of all passages together, at four to a token. */
  contextCharacters: number
  /** How often an answer that fails verification is written again. */
  repairs: number
  /** Whether the terms of the plan are held against the Space before anything is retrieved. */
  calibrates: boolean
  /** Whether a source that searches, such as the web, is asked. */
  searchesWeb: boolean
  maxClaims: number
  budget: ResearchBudget
}

const usd = 10

export const depths: Readonly<Record<ResearchDepth, DepthLimits>> = {
  quick: {
    subQuestions: 3,
    passages: 10,
    contextCharacters: 16_000,
    repairs: 0,
    calibrates: false,
    searchesWeb: false,
    maxClaims: 20,
    budget: { usd, tokens: 150_000 },
  },
  standard: {
    subQuestions: 8,
    passages: 20,
    contextCharacters: 48_000,
    repairs: 2,
    calibrates: true,
    searchesWeb: true,
    maxClaims: 60,
    budget: { usd, tokens: 500_000 },
  },
  deep: {
    subQuestions: 15,
    passages: 30,
    contextCharacters: 96_000,
    repairs: 3,
    calibrates: true,
    searchesWeb: true,
    maxClaims: 120,
    budget: { usd, tokens: 1_200_000 },
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

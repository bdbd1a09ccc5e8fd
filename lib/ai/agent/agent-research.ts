// Research as the tool of external agents reaches it.

import type { ResearchDepth } from '../../contract/research.ts'
import type { Actor } from '../../core/actor.ts'

/** How far research of an external agent has come. `answer`: Markdown; null: there is none (yet). */
export type ResearchProgress = {
  id: string
  status: 'queued' | 'running' | 'paused' | 'stopped' | 'failed' | 'done'
  /** The last thing that happened, or why it does not go on. */
  note: string
  outcome: string | null
  answer: string | null
  tokens: { used: number; budget: number }
}

/** A passage behind an answer, by the number in the answer. */
export type ResearchPassage = { n: string; kind: string; id: string; title: string; text: string }

/** For external agents: each works on runs that the agent itself started. */
export type AgentResearch = {
  /** Throws a 403 `AppError` beyond what the owner lets the agent use, 409 while one of its runs is at work. */
  start(
    actor: Actor,
    request: { space_id: string; question: string; depth: ResearchDepth },
  ): Promise<ResearchProgress>
  find(actor: Actor, request: { space_id: string; id: string }): Promise<ResearchProgress>
  /** Passages behind that number, at most so many. */
  listPassages(
    actor: Actor,
    request: { space_id: string; id: string; after: number; limit: number },
  ): Promise<ResearchPassage[]>
}

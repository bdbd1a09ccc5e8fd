// What a ready-made routine has to go by, and what it comes to.

import type { z } from 'zod'
import type { GivenText } from '../../../changes/grounding/provenance.ts'
import type { Kinds } from '../../../contract/entities/kinds.ts'
import type { Calendar } from '../../../core/schedule/calendar.ts'
import type { Database } from '../../../db/pool.ts'
import type { TextThreads } from '../../../jobs/workers/text-threads.ts'

/** The arguments of `propose_change`. */
export type ReadyDraft = {
  entity_type: string
  action: 'create' | 'update' | 'delete'
  entity_id?: string
  payload?: Record<string, unknown>
  edits?: { old_text: string; new_text: string }[]
  /** The evidence. */
  reason: string
}

export type ReadyFound = {
  drafts: { input: ReadyDraft; sources?: readonly GivenText[] }[]
  /** The answer, where these drafts, by their places, were stored; `null`: there is nothing to say. */
  answer(stored: readonly number[]): string | null
  /** Called once that is settled, and not in a dry run. */
  settle?(stored: readonly number[]): Promise<void>
}

export type ReadyRun = {
  database: Database
  kinds: Kinds
  threads: TextThreads
  calendar: Calendar
  /** Ids of the entities with the passages nearest in words, best first. */
  near(text: string, options: { without: string; limit: number }): Promise<string[]>
  space_id: string
  turn_id: string
  instruction: string
  /** `null`: no model is connected, or none may be paid for. */
  ask: AskModel | null
  signal: AbortSignal
}

/** Asks the model one question for one JSON value; `null`: it failed, or gave none of that shape. */
export type AskModel = <Schema extends z.ZodType>(question: {
  system: string
  content: string
  schema: Schema
}) => Promise<z.output<Schema> | null>

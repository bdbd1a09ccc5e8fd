import type { Answer, Draft } from '../answers.ts'
import { ask, type Plan, settled } from '../plan.ts'

/** One clause of a message: its first line with white space folded and politeness removed, and the lines below it. */
export type Clause = { head: string; below: string; said: string }

/** Something that an earlier command of the same message creates; `make` is that very draft. */
export type Created = { kind: string; title: string; make: () => Plan<Answer> }

export type Outcome = { draft: Draft } | { problem: string }

export type Command = {
  said: string
  creates: (earlier: readonly Created[]) => Created[]
  draft: (earlier: readonly Created[]) => Plan<Outcome[]>
}

/** Recognises one family of commands; `null` for a clause that is none of them. */
export type ReadCommand = (clause: Clause, now: Date) => Command | null

export const problem = (text: string): Outcome[] => [{ problem: text }]

type Change = {
  entity_type: string
  action: 'create' | 'update' | 'delete'
  entity_id?: string
  payload?: Record<string, unknown>
  edits?: { old_text: string; new_text: string }[]
}

/** Drafts a change, with the owner's own words as its reason. */
export function propose(change: Change, said: string): Plan<Answer> {
  const words = said.replace(/\s+/g, ' ').trim()
  const quoted = words.length > 300 ? `${words.slice(0, 300).toWellFormed()}…` : words
  return ask('propose_change', { ...change, reason: `You asked: “${quoted}”` })
}

/** A command that changes something there is. */
export function changing(said: string, draft: Command['draft']): Command {
  return { said, creates: () => [], draft }
}

/** A command that drafts nothing and says why. */
export const refusing = (said: string, text: string): Command => changing(said, () => settled(problem(text)))

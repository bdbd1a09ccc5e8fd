import { call, type Plan } from './plan.ts'
import { parseDraft } from './tool-results.ts'

/** One clause of a message: its first line with white space folded and politeness removed, and the lines below it. */
export type Clause = { head: string; below: string; said: string }

export type Outcome = { draft: { id: string; summary: string } } | { problem: string }

/** An item that an earlier command of the same message creates; `draft` is the draft of that very command. */
export type Created = { kind: string; title: string; draft: () => Plan<Outcome> }

export type Command = {
  creates?: { kind: string; title: string }
  draft: (earlier: readonly Created[]) => Plan<Outcome>
}

type Change = {
  entity_type: string
  action: 'create' | 'update' | 'delete'
  entity_id?: string
  payload?: Record<string, unknown>
  edits?: { old_text: string; new_text: string }[]
}

/** Drafts a change of what `name` names, with what the owner said as its reason. */
export function* propose(change: Change, name: string, said: string): Plan<Outcome> {
  const words = said.replace(/\s+/g, ' ').trim()
  const quoted = words.length > 300 ? `${words.slice(0, 300).toWellFormed()}…` : words
  const result = yield* call('propose_change', { ...change, reason: `You asked: “${quoted}”` })
  const draft = parseDraft(result)
  return draft ? { draft } : { problem: `I could not draft a change of ${name}: ${result.text}` }
}

/** A command that drafts nothing and says why. */
export const refusing = (problem: string): Command => ({
  // biome-ignore lint/correctness/useYield: a plan that needs no call.
  *draft() {
    return { problem }
  },
})

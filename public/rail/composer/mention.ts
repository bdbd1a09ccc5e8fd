// `@name` in a message asks that companion for it, in the thread that is shown.

import type { AgentMark } from '../../../lib/contract/agents.ts'
import type { Addressees, Guest } from '../state/conversation-part.ts'

/** How a message is addressed to the companion that it asks by name, if that is another one. */
export function guestIn(text: string, addressees: Addressees): Guest | null {
  const guest = findGuest(text, addressees)
  return guest && { agent_id: guest.id }
}

/** The companion that a text asks in place of the one of the thread. */
export function findGuest(text: string, { agent, companions }: Addressees): AgentMark | null {
  const found = findMention(text, companions)
  return found?.id === agent.id ? null : found
}

/** The companion that a text asks by name; the first one named counts, and of two names that fit the longer. */
export function findMention(text: string, companions: readonly AgentMark[]): AgentMark | null {
  const byLength = companions.toSorted((a, b) => b.name.length - a.name.length)
  for (const { index } of text.matchAll(/(?<!\S)@/gu)) {
    const found = byLength.find(({ name }) => isNamedAt(text, index + 1, name))
    if (found) return found
  }
  return null
}

function isNamedAt(text: string, at: number, name: string): boolean {
  const end = at + name.length
  return (
    text.slice(at, end).toLowerCase() === name.toLowerCase() && !/^[\p{L}\p{M}\p{N}]/u.test(text.slice(end))
  )
}

// What is said while an answer is on its way, by rules alone: it must not wait for a model.

import type { NumberedEvent } from '../stream/turn-stream.ts'

/** Something to say to a message before anything is known of its answer. */
export function acknowledge(message: string): string {
  const start = message.trimStart().slice(0, 200)
  const end = message.slice(-200).trimEnd()
  if (/[?？]["'”’»)]*$/.test(end) || asks.test(start)) return 'Let me look.'
  return wishes.test(start) ? 'I will draft that.' : 'One moment.'
}

const asks = /^(?:what|when|where|which|who|whose|why|how|is|are|was|were|do|does|did|can|could)\b/i
const wishes =
  /^(?:please\s+)?(?:add|append|change|create|delete|draft|make|move|remind|rename|remove|replace|set|update|write)\b/i

const activities = new Map([
  ['search', 'I am still searching.'],
  ['search_email', 'I am still searching the mail.'],
  ['read', 'I am still reading.'],
  ['read_email_thread', 'I am still reading the mail.'],
  ['list', 'I am still looking through the lists.'],
  ['propose_change', 'I am still drafting the change.'],
])

/** Keeps what a turn does now, to be told of in one sentence. */
export function spokenProgress(): { add(event: NumberedEvent): void; text(): string } {
  let now = ''
  return {
    add({ type, data }) {
      if (type === 'tool') now = data.status === 'running' ? data.tool : ''
      if (type === 'delta') now = 'write'
    },
    text: () =>
      now === 'write' ? 'I am writing the answer.' : (activities.get(now) ?? 'I am still working on it.'),
  }
}

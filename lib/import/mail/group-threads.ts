import type { MailHeaders } from './read-headers.ts'

export type Message<Key> = { key: Key; headers: MailHeaders }

/**
 * Messages by conversation: those that refer to one another, and answers without references to the conversation of
 * their subject. Each conversation from its oldest message on; conversations in the order of their first appearance.
 */
export function groupThreads<Key>(messages: readonly Message<Key>[]): Message<Key>[][] {
  const above = new Map<string, string>()
  const top = (id: string): string => {
    let root = id
    while (above.has(root)) root = above.get(root)!
    // The path is kept short, or a chain of a hundred thousand answers takes forever.
    for (let at = id; at !== root; ) {
      const next = above.get(at)!
      above.set(at, root)
      at = next
    }
    return root
  }
  const join = (one: string, other: string) => {
    const [a, b] = [top(one), top(other)]
    if (a !== b) above.set(b, a)
  }

  const nodes = messages.map(({ headers }, index) => headers.messageId ?? `#${index}`)
  const bySubject = new Map<string, string>()
  messages.forEach(({ headers }, index) => {
    for (const reference of headers.references) join(reference, nodes[index]!)
    const subject = plainSubject(headers.subject)
    if (subject !== '' && !bySubject.has(subject)) bySubject.set(subject, nodes[index]!)
  })
  messages.forEach(({ headers }, index) => {
    const first = bySubject.get(plainSubject(headers.subject))
    if (first && headers.references.length === 0 && isAnswer(headers.subject)) join(first, nodes[index]!)
  })

  const groups = Map.groupBy(messages.keys(), (index) => top(nodes[index]!))
  return [...groups.values()].map((indexes) =>
    indexes.map((index) => messages[index]!).sort((a, b) => a.headers.date - b.headers.date),
  )
}

// White space stands at one place after each part, so that a run of it can be read in one way only.
const answerMark = /^\s*(?:(?:re|fwd?|aw|wg|sv|vs|tr|rv|antw|odp)\s*(?:\[\d+\]\s*)?:\s*)+/i

/** Whether a subject begins with `Re:` or its like in a few languages. */
export const isAnswer = (subject: string): boolean => answerMark.test(subject)

/** The subject without `Re:` and its like in a few languages, for comparison. */
export const plainSubject = (subject: string): string =>
  subject.replace(answerMark, '').replace(/\s+/g, ' ').trim().toLowerCase()

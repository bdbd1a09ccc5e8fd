// Which lines of a front matter answer a question, and which are only bookkeeping.

import type { Wanted } from './keywords.ts'
import type { Segment } from './segments.ts'

const keys: Partial<Record<Exclude<Wanted, null>, RegExp>> = {
  when: /^(?!created|modified|updated|last)[\w -]*: .*\b\d{4}\b/i,
  who: /^(?:author|by|creator|director|writer|artist|host|guests?|people|person|cast|composer|editor|founder|owner|maker|manufacturer|skipper|captain|org)s?:/i,
  where: /^(?:loc|location|place|city|country|address|where|venue|coordinates|region)s?:/i,
}

/** What a line of front matter is worth beside its words: "who" looks for an author, "when" for a date. */
export function factWeight({ kind, text }: Segment, wants: Wanted): number {
  if (kind !== 'fact' || wants === null) return 0
  return keys[wants]?.test(text) ? 1 : 0
}

/** Whether a front matter has a line of the kind that is wanted. */
export const hasFact = (segments: readonly Segment[], wants: Wanted): boolean =>
  segments.some((segment) => factWeight(segment, wants) > 0)

/** Ids, covers and the like, which say nothing to a reader. */
export const isNoise = (text: string): boolean =>
  /^(?:cover|image|thumbnail|icon|cssclass(?:es)?|[\w-]*id|banner|aliases|permalink):/i.test(text)

// Where the marks of citations go in an answer: right where the words end that they support, and nowhere where the
// mark would break the Markdown or be broken by it.

import type { Citation } from '../../../lib/contract/events/events.ts'
import { citeClose, citeOpen } from '../../markdown/syntax-extensions.ts'
import type { Block } from './blocks.ts'

export type Place = {
  /** A position in the answer. */
  at: number
  numbers: readonly number[]
  /** The mark cannot be in that line, so it gets a line of its own below. */
  below: boolean
}

/** The places of all citations of an answer, in order. */
export function placesOf(text: string, citations: readonly Citation[]): Place[] {
  const settled = Map.groupBy(citations, ({ end }) => lastInk(text, end))
  return [...settled]
    .filter(([at]) => at > 0)
    .toSorted(([a], [b]) => a - b)
    .map(([at, cited]) => ({ at, numbers: [...new Set(cited.map(({ n }) => n))], below: isFence(text, at) }))
}

/** A block with the marks that fall into it. Signs that would pass for a mark are taken out of the text first. */
export function markBlock({ text, start }: Block, places: readonly Place[]): string {
  const clean = text.replace(new RegExp(`[${citeOpen}${citeClose}]`, 'g'), ' ')
  return places
    .filter(({ at }) => at > start && at <= start + text.length)
    .reduceRight((marked, { at, numbers, below }) => {
      const marks = numbers.map((n) => `${citeOpen}${n}${citeClose}`).join('')
      return marked.slice(0, at - start) + (below ? `\n\n${marks}\n\n` : marks) + marked.slice(at - start)
    }, clean)
}

/** The end of the last word before a position: white space and the bar that closes a row of a table are passed over. */
function lastInk(text: string, end: number): number {
  let at = Math.min(end, text.length)
  while (at > 0 && /[\s|]/.test(text[at - 1]!)) at -= 1
  return at
}

function isFence(text: string, at: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at)
  return /^[\s>]*(`{3,}|~{3,})/.test(line)
}

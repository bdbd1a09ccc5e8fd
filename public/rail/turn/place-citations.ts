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
  const inks = lastInks(
    text,
    citations.map(({ end }) => end),
  )
  const settled = Map.groupBy(citations, ({ end }) => inks.get(end) ?? 0)
  let line: Line = { end: 0, fence: Infinity }
  return [...settled]
    .filter(([at]) => at > 0)
    .toSorted(([a], [b]) => a - b)
    .map(([at, cited]) => {
      if (at > line.end) line = lineAt(text, at)
      return { at, numbers: [...new Set(cited.map(({ n }) => n))], below: at >= line.fence }
    })
}

/** A block with the marks that fall into it. Signs that would pass for a mark are taken out of the text first. */
export function markBlock({ text, start }: Block, places: readonly Place[]): string {
  const clean = text.replace(new RegExp(`[${citeOpen}${citeClose}]`, 'g'), ' ')
  const pieces: string[] = []
  let done = 0
  for (const { at, numbers, below } of places) {
    if (at <= start || at > start + text.length) continue
    const marks = numbers.map((n) => `${citeOpen}${n}${citeClose}`).join('')
    pieces.push(clean.slice(done, at - start), below ? `\n\n${marks}\n\n` : marks)
    done = at - start
  }
  return pieces.join('') + clean.slice(done)
}

/**
 * For each position the end of the last word before it: white space and the bar that closes a row of a table are passed
 * over, once for all positions.
 */
function lastInks(text: string, positions: readonly number[]): Map<number, number> {
  const inks = new Map<number, number>()
  let passed = 0
  let ink = 0
  for (const position of positions.toSorted((a, b) => a - b)) {
    const end = Math.min(position, text.length)
    let at = end
    while (at > passed && /[\s|]/.test(text[at - 1]!)) at -= 1
    if (at > passed) ink = at
    passed = end
    inks.set(position, ink)
  }
  return inks
}

/** Where a line ends, and from where on a mark in it would be in the line of a fence. */
type Line = { end: number; fence: number }

function lineAt(text: string, at: number): Line {
  const start = text.lastIndexOf('\n', at - 1) + 1
  const end = text.indexOf('\n', at)
  const line = text.slice(start, end === -1 ? undefined : end)
  const fence = /^[\s>]*(?:`{3}|~{3})/.exec(line)
  return { end: start + line.length, fence: fence ? start + fence[0].length : Infinity }
}

// The words of a query, marked in a title. The pieces of a passage come from the server with their marks.

import type { Piece } from '../../../lib/contract/space/search.ts'
import { el } from '../dom.ts'

/** The words of a query, in lower case, without quotes and signs. */
export const queryWords = (query: string): string[] => [
  ...new Set(query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []),
]

/** A text in pieces; a word is marked when it is one of the query's, or a form of it. */
export function markWords(text: string, words: readonly string[]): Piece[] {
  const pieces: Piece[] = []
  for (const part of text.match(/[\p{L}\p{N}]+|[^\p{L}\p{N}]+/gu) ?? []) {
    const marked = words.some((word) => isSame(part.toLowerCase(), word))
    const last = pieces.at(-1)
    if (last && last.marked === marked) last.text += part
    else pieces.push({ text: part, marked })
  }
  return pieces
}

/** Forms of one word, roughly: they share all but an ending. */
function isSame(one: string, other: string): boolean {
  if (one === other) return true
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  const stem = short.length > 5 ? short.slice(0, -2) : short
  const ending = short.length > 3 ? 4 : 1
  return stem.length >= 3 && long.startsWith(stem) && long.length - short.length <= ending
}

/** Pieces as nodes: text, and the marked ones in `<mark>`. */
export const markedNodes = (pieces: readonly Piece[]): (HTMLElement | string)[] =>
  pieces.map(({ text, marked }) => (marked ? el('mark', {}, text) : text))

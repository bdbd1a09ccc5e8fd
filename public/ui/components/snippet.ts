// The words of a query, marked in a title. The pieces of a passage come from the server with their marks.

import type { Piece } from '../../../lib/contract/space/search.ts'
import { isSameWord, plainWordsOf } from '../../../lib/core/text/words/words.ts'
import { el } from '../dom.ts'

/** The words of a query, in lower case, without quotes and signs. */
export const queryWords = (query: string): string[] => [...new Set(plainWordsOf(query))]

/** A text in pieces; a word is marked when it is one of the query's, or a form of it. */
export function markWords(text: string, words: readonly string[]): Piece[] {
  const pieces: Piece[] = []
  for (const part of text.match(/[\p{L}\p{N}]+|[^\p{L}\p{N}]+/gu) ?? []) {
    const marked = words.some((word) => isSameWord(part.toLowerCase(), word))
    const last = pieces.at(-1)
    if (last && last.marked === marked) last.text += part
    else pieces.push({ text: part, marked })
  }
  return pieces
}

/** Pieces as nodes: text, and the marked ones in `<mark>`. */
export const markedNodes = (pieces: readonly Piece[]): (HTMLElement | string)[] =>
  pieces.map(({ text, marked }) => (marked ? el('mark', {}, text) : text))

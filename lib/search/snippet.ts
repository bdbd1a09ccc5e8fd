// What of a passage is shown for a question: a piece of it in plain words, with those that answer marked.

import type { Piece } from '../contract/space/search.ts'
import { cutAtWord } from '../text/first-words.ts'
import { plainText } from '../text/plain-text.ts'
import { bareWord, isSameWord } from './words/same-word.ts'

export type { Piece } from '../contract/space/search.ts'

const maxCiteLength = 280

/** About `length` characters around the place of a passage where the most different words of the question occur. */
export function markedSnippet(passage: string, words: readonly string[], length = 180): Piece[] {
  const text = plainText(passage).replace(/\s+/g, ' ').trim()
  if (text.length <= length) return markWords(text, words)
  const start = bestStart(hitsIn(text, words), length)
  const from = start === 0 ? 0 : text.indexOf(' ', Math.max(0, start - length / 4)) + 1
  const cut = text.slice(from, from + length)
  const rest = from + length < text.length
  const whole = rest ? cut.slice(0, Math.max(cut.lastIndexOf(' '), length / 2)) : cut
  return markWords(`${from > 0 ? '… ' : ''}${whole.toWellFormed()}${rest ? ' …' : ''}`, words)
}

/** The line of a passage that answers best, as a reader sees it; '' where none has a word of the question. */
export function citedLine(passage: string, words: readonly string[]): string {
  const lines = plainText(passage)
    .split('\n')
    .map((line) => line.trim())
  const scored = lines.filter(Boolean).map((line) => ({ line, score: countWords(line, words) }))
  const best = scored.reduce((one, other) => (other.score > one.score ? other : one), { line: '', score: 0 })
  return cutAtWord(best.line, maxCiteLength)
}

/** Words of a question that are worth marking, from its own words and the lexemes that were looked for. */
export function wordsToMark(words: readonly string[], lexemes: readonly string[]): string[] {
  const beginnings = new Set(lexemes.map((lexeme) => lexeme.slice(0, 3)))
  return [...new Set([...lexemes, ...words.filter((word) => beginnings.has(word.slice(0, 3)))])]
}

function markWords(text: string, words: readonly string[]): Piece[] {
  const pieces: Piece[] = []
  for (const part of text.match(/[\p{L}\p{N}]+|[^\p{L}\p{N}]+/gu) ?? []) {
    const own = bareWord(part)
    const marked = words.some((word) => isSameWord(own, word))
    const last = pieces.at(-1)
    if (last && last.marked === marked) last.text += part
    else pieces.push({ text: part, marked })
  }
  return pieces
}

function hitsIn(text: string, words: readonly string[]): { index: number; of: number }[] {
  return [...text.matchAll(/[\p{L}\p{N}]+/gu)].flatMap(({ 0: found, index }) => {
    const own = bareWord(found)
    const of = words.findIndex((word) => isSameWord(own, word))
    return of === -1 ? [] : [{ index, of }]
  })
}

function countWords(line: string, words: readonly string[]): number {
  const own = (line.match(/[\p{L}\p{N}]+/gu) ?? []).map(bareWord)
  return words.filter((word) => own.some((each) => isSameWord(each, word))).length
}

function bestStart(hits: { index: number; of: number }[], length: number): number {
  const best = { index: 0, count: 0 }
  const counts = new Map<number, number>()
  let end = 0
  for (const { index, of } of hits) {
    for (; end < hits.length && hits[end]!.index < index + length * 0.7; end++)
      counts.set(hits[end]!.of, (counts.get(hits[end]!.of) ?? 0) + 1)
    if (counts.size > best.count) Object.assign(best, { index, count: counts.size })
    const left = counts.get(of)! - 1
    if (left > 0) counts.set(of, left)
    else counts.delete(of)
  }
  return best.index
}

// A text's words in the index and in questions, which know versions, amounts and names of hidden files beside plain
// words (texts are compared by `wordsOf` alone); and their BM25 weights, as a vector whose product with a question's
// vector is a passage's score.

import { hash } from 'node:crypto'
import { wordsOf } from '../../core/text/words/words.ts'
import type { Lexemes } from '../../db/repos/chunks.ts'

/** `1.9.7` and `v1.9.7`: up to six numbers. */
const dotted = /(?<![\p{L}\p{N}.])v?(\d{1,9}(?:\.\d{1,9}){1,5})(?![\p{L}\p{N}]|\.\d)/giu
/** `.obsidian`, but not the end of a sentence or of a file name. */
const leadingDot = /(?<![\p{L}\p{N}\p{M}.)\]])\.(\p{L}[\p{L}\p{N}\p{M}]{0,60})/gu
/** `50mb`; a number after letters is part of a name (`gpt4`). */
const amount = /^(\p{N}{1,9})(\p{L}{1,3})$/u

/**
 * A text's words for the index and for questions: those of `wordsOf`; a number with dots also as one (`1.9.7`: 1, 9, 7,
 * 1v9v7), a name with a leading dot, too (`.env`: env, dotenv), and digits next to letters separately (`50mb`: 50, mb,
 * 50mb).
 */
export function indexWordsOf(text: string): string[] {
  const whole = text
    .replace(dotted, (written, numbers: string) => `${written} ${numbers.replaceAll('.', 'v')} `)
    .replace(leadingDot, (written, name: string) => `${written} dot${name.toLowerCase()} `)
  return wordsOf(whole).flatMap(withParts)
}

function withParts(word: string, at: number, all: readonly string[]): string[] {
  const [, digits, unit] = amount.exec(word) ?? []
  const isDone = all[at - 2] === digits && all[at - 1] === unit
  return digits && unit && !isDone ? [digits, unit, word] : [word]
}

const dimensions = 2 ** 28 + 1
/** Robertson and Zaragoza, “The Probabilistic Relevance Framework”: k1 (saturation) and b (length). */
const k1 = 1.2
const b = 0.75

/** Lexemes with the weight of one occurrence. */
export type Counted = { lexemes: Lexemes; share: number }

/** Matches the database's function `bm25_vector`; `average`: the Space's average passage length. */
export function weighPassage(texts: readonly Counted[], average: number): Map<string, number> {
  const times = new Map<string, number>()
  let words = 0
  for (const { lexemes, share } of texts) {
    for (const [lexeme, count] of lexemes) {
      times.set(lexeme, (times.get(lexeme) ?? 0) + share * count)
      words += share * count
    }
  }
  const length = k1 * (1 - b + (b * words) / average)
  return new Map([...times].map(([lexeme, count]) => [lexeme, ((k1 + 1) * count) / (count + length)]))
}

/** A `sparsevec` literal, in its precision. A lexeme's dimension is 28 bits of its md5. */
export function sparseVector(weights: Iterable<readonly [lexeme: string, weight: number]>): string {
  const byDimension = new Map<number, number>()
  for (const [lexeme, weight] of weights) {
    const dimension = Number.parseInt(hash('md5', lexeme, 'hex').slice(0, 7), 16) + 1
    byDimension.set(dimension, (byDimension.get(dimension) ?? 0) + weight)
  }
  const values = Array.from(byDimension, ([dimension, weight]) => `${dimension}:${weight.toPrecision(9)}`)
  return `{${values.join(',')}}/${dimensions}`
}

// A text's words in the index and in questions, which know versions, amounts and names of hidden files beside plain
// words (texts are compared by `wordsOf` alone); and their BM25 weights, as a vector whose product with a question's
// vector is a passage's score.

import { hash } from 'node:crypto'
import { SparseVector } from 'pgvector'
import { wordsOf } from '../../core/text/words/words.ts'
import type { Lexemes } from '../../db/repos/chunks.ts'

/** `1.9.7` and `v1.9.7`: up to six numbers. */
const dotted = /(?<![\p{L}\p{N}.])v?(\d{1,9}(?:\.\d{1,9}){1,5})(?![\p{L}\p{N}]|\.\d)/giu
/** `.obsidian`, but not the end of a sentence or of a file name. */
const leadingDot = /(?<![\p{L}\p{N}\p{M}.)\]])\.(\p{L}[\p{L}\p{N}\p{M}]{0,60})/gu
/** `50mb`; a number after letters is part of a name (`gpt4`). */
const amount = /^(\p{N}{1,9})(\p{L}{1,3})$/u
/** `co-operation`, `e-mail`: two or three words with a hyphen between. */
const hyphenated =
  /(?<![\p{L}\p{N}\p{M}-])\p{L}[\p{L}\p{M}]{0,30}(?:[-‐‑]\p{L}[\p{L}\p{M}]{0,30}){1,2}(?![\p{L}\p{N}\p{M}-])/gu
/** `40,000`, `40 000` and `40.000`; `0151-234 5678`, `978-3-16-148410-0`. */
const grouped =
  /(?<![\p{L}\p{N}.,-])(?:\d{1,3}(?:[,.\u2009\u00a0\u202f '’]\d{3}){1,5}|\d{1,7}(?:[-–/ ]\d{1,7}){1,6})(?![\p{L}\p{N}]|[.,-]\d)/gu
/** `C++`, `F#`, `A*`. */
const signed = /(?<![\p{L}\p{N}\p{M}*+#])(?:(\p{L}{1,3})(\+\+|#)|(\p{Lu})(\*))(?![\p{L}\p{N}\p{M}*+#])/gu
const namesOfSigns: Readonly<Record<string, string>> = { '++': 'plusplus', '#': 'sharp', '*': 'star' }

/** A text's words for the index: those of a question, and words with a hyphen and numbers in groups also as one. */
export const indexWordsOf = (text: string): string[] =>
  questionWordsOf(
    text
      .replace(grouped, (written) => `${written} ${withoutSigns(written)} `)
      .replace(hyphenated, (written) => `${written} ${withoutSigns(written)} `),
  )

/** Words with a hyphen and numbers in groups, as one each: `co-operation`, `40,000`. */
export const joinedFormsOf = (text: string): string[] =>
  [...text.matchAll(grouped), ...text.matchAll(hyphenated)].flatMap(([written]) =>
    questionWordsOf(withoutSigns(written)),
  )

const withoutSigns = (written: string) => written.replace(/[^\p{L}\p{N}\p{M}]/gu, '')

/**
 * A question's words: those of `wordsOf`; a number with dots also as one (`1.9.7`: 1, 9, 7, 1v9v7), a name with a leading
 * dot, too (`.env`: env, dotenv), digits next to letters separately (`50mb`: 50, mb, 50mb), and letters with the signs
 * that make them a name (`C++`: c, cplusplus).
 */
export function questionWordsOf(text: string): string[] {
  const whole = text
    .replace(dotted, (written, numbers: string) => `${written} ${numbers.replaceAll('.', 'v')} `)
    .replace(leadingDot, (written, name: string) => `${written} dot${name.toLowerCase()} `)
    .replace(signed, (written, name?: string, sign?: string, letter?: string, star?: string) => {
      const named = `${name ?? letter}${namesOfSigns[sign ?? star ?? ''] ?? ''}`
      return `${written} ${named.toLowerCase()} `
    })
  return wordsOf(whole).flatMap(withParts)
}

function withParts(word: string, at: number, all: readonly string[]): string[] {
  const [, digits, unit] = amount.exec(word) ?? []
  const isDone = all[at - 2] === digits && all[at - 1] === unit
  return digits && unit && !isDone ? [digits, unit, word] : [word]
}

/** The letters and the digits of a word that has both (`ieee754`: ieee, 754); none of any other. */
export function lettersAndDigits(word: string): string[] {
  const parts = word.match(/\p{N}+|[^\p{N}]+/gu) ?? []
  return parts.length > 1 && parts.length < 4 ? parts : []
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
    const dimension = Number.parseInt(hash('md5', lexeme, 'hex').slice(0, 7), 16)
    byDimension.set(dimension, (byDimension.get(dimension) ?? 0) + weight)
  }
  for (const [dimension, weight] of byDimension) byDimension.set(dimension, Number(weight.toPrecision(9)))
  return new SparseVector(byDimension, dimensions).toPostgres()
}

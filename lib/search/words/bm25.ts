// A passage's side of BM25: its lexemes' weights, as a vector whose product with a question's vector is the passage's
// score.

import { hash } from 'node:crypto'
import type { Lexemes } from '../../db/repos/chunks.ts'

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

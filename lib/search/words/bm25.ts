// A passage's side of BM25: how much each of its lexemes says about it, as a vector whose product with that of a question
// is the passage's score.

import { hash } from 'node:crypto'
import type { Lexemes } from '../../db/repos/chunks.ts'

const dimensions = 2 ** 28 + 1
/** Robertson and Zaragoza, “The Probabilistic Relevance Framework”: how soon a word counts no more, and what length does. */
const k1 = 1.2
const b = 0.75

/** Lexemes with what one occurrence counts. */
export type Counted = { lexemes: Lexemes; share: number }

/** As the function `bm25_vector` of the database weighs; `average`: the length of the Space's passages. */
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

/** Of type `sparsevec`, in the precision of that. The dimension of a lexeme is 28 bits of its md5. */
export function sparseVector(weights: Iterable<readonly [lexeme: string, weight: number]>): string {
  const byDimension = new Map<number, number>()
  for (const [lexeme, weight] of weights) {
    const dimension = Number.parseInt(hash('md5', lexeme, 'hex').slice(0, 7), 16) + 1
    byDimension.set(dimension, (byDimension.get(dimension) ?? 0) + weight)
  }
  const values = Array.from(byDimension, ([dimension, weight]) => `${dimension}:${weight.toPrecision(9)}`)
  return `{${values.join(',')}}/${dimensions}`
}

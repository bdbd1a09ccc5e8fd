// From the lexemes of a question to what Postgres is asked: the query's side of BM25 and a `tsquery` for candidates.

import { createHash } from 'node:crypto'
import type { QuestionLexeme } from '../db/repos/chunk_rankings.ts'
import { completions, nearLexemes } from './near-lexemes.ts'
import type { TermCounts } from './term-counts.ts'

export type QueryPlan = {
  /** Of type `sparsevec`. */
  vector: string
  /** Any of the rarest lexemes: a small part of the Space that holds nearly all of the best. */
  narrow: string
  /** Any of the lexemes. */
  wide: string
  /** All of them. */
  lexemes: string[]
}

type Term = { lexeme: string; count: number; weight: number }

/** A question longer than this is ranked by its rarest lexemes. */
const mostTerms = 48
const mostUnknown = 6

/** Null when the question has no lexeme: only stop words, or no word at all. */
export function planQuery(
  { lexemes, unfinished }: { lexemes: readonly QuestionLexeme[]; unfinished: string | null },
  spaces: readonly TermCounts[],
): QueryPlan | null {
  const total = spaces.reduce((sum, space) => sum + space.chunks, 0)
  const terms = weighTerms({ lexemes, unfinished }, spaces, total)
    .sort((a, b) => a.count - b.count || b.weight - a.weight)
    .slice(0, mostTerms)
  if (terms.length === 0) return null

  const wide = terms.map(({ lexeme }) => quoteLexeme(lexeme))
  return {
    vector: sparseVector(terms),
    narrow: wide.slice(0, narrowLength(terms, total)).join(' | '),
    wide: wide.join(' | '),
    lexemes: terms.map(({ lexeme }) => lexeme),
  }
}

/** Known lexemes, unknown ones (they may have been written a moment ago), and what the unknown may have meant. */
function weighTerms(
  { lexemes, unfinished }: { lexemes: readonly QuestionLexeme[]; unfinished: string | null },
  spaces: readonly TermCounts[],
  total: number,
): Term[] {
  const counts = spaces.map((space) => space.byLexeme)
  const inPassages = (lexeme: string) =>
    counts.reduce((sum, byLexeme) => sum + (byLexeme.get(lexeme) ?? 0), 0)
  const terms = new Map<string, Term>()
  const add = (lexeme: string, times: number) => {
    const count = inPassages(lexeme)
    const weight = idf(total, count) * times + (terms.get(lexeme)?.weight ?? 0)
    terms.set(lexeme, { lexeme, count, weight })
  }

  let unknown = 0
  for (const { alternatives, times } of questionTerms(lexemes)) {
    const known = alternatives.filter((lexeme) => inPassages(lexeme) > 0)
    for (const lexeme of known.length > 0 ? known : alternatives) add(lexeme, times)
    if (known.length > 0 || ++unknown > mostUnknown) continue
    for (const near of nearLexemes(alternatives[0]!, counts)) add(near.lexeme, near.weight * times)
  }
  for (const { lexeme, weight } of unfinished ? completions(unfinished, counts) : []) {
    if (!terms.has(lexeme)) add(lexeme, weight)
  }
  return [...terms.values()]
}

/**
 * The words of a question, each as the lexemes that the configured languages make of it. The question is taken to be
 * of the language that knows the most of its words as stop words, and those count for nothing.
 */
function questionTerms(lexemes: readonly QuestionLexeme[]): { alternatives: string[]; times: number }[] {
  const places = [...Map.groupBy(lexemes, ({ place }) => place)].map(([place, own]) => ({
    place,
    positions: new Set(own.flatMap(({ positions }) => positions)),
  }))
  const likely = places.sort((a, b) => a.positions.size - b.positions.size || a.place - b.place)[0]
  const terms = new Map<string, { alternatives: Set<string>; times: number }>()

  for (const { lexeme, positions } of lexemes) {
    const meant = positions.filter((position) => likely?.positions.has(position))
    if (meant.length === 0) continue
    const key = meant.join(',')
    const term = terms.get(key) ?? { alternatives: new Set<string>(), times: meant.length }
    term.alternatives.add(lexeme)
    terms.set(key, term)
  }
  return [...terms.values()].map(({ alternatives, times }) => ({ alternatives: [...alternatives], times }))
}

/** BM25's weight of a lexeme that stands in `count` of `total` passages; both may be a little off. */
function idf(total: number, count: number): number {
  const bounded = Math.min(count, total)
  return Math.log(1 + (total - bounded + 0.5) / (bounded + 0.5))
}

/**
 * How many of the terms, rarest first, make enough candidates: two known ones at least, and none so common that it
 * would multiply what is there already.
 */
function narrowLength(terms: readonly Term[], total: number): number {
  const enough = Math.max(2000, total / 20)
  let candidates = 0
  let known = 0
  for (const [index, { count }] of terms.entries()) {
    if (known >= 2 && candidates > enough / 4 && candidates + count > enough * 2) return index
    candidates += count
    if (count > 0) known += 1
    if (known >= 2 && candidates > enough) return index + 1
  }
  return terms.length
}

/** The dimension is 28 bits of the lexeme's md5, as in the function `bm25_vector`. */
function sparseVector(terms: readonly Term[]): string {
  const weights = new Map<number, number>()
  for (const { lexeme, weight } of terms) {
    const dimension = Number.parseInt(createHash('md5').update(lexeme).digest('hex').slice(0, 7), 16) + 1
    weights.set(dimension, (weights.get(dimension) ?? 0) + weight)
  }
  return `{${[...weights].map(([dimension, weight]) => `${dimension}:${weight.toFixed(5)}`).join(',')}}/268435457`
}

const quoteLexeme = (lexeme: string) => `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

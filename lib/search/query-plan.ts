// From the lexemes of a question to what Postgres is asked: the query's side of BM25 and a `tsquery` for candidates.

import { createHash } from 'node:crypto'
import type { QuestionLexeme } from '../db/repos/chunk_rankings.ts'
import { completions, nearLexemes } from './near-lexemes.ts'
import type { TermCounts } from './term-counts.ts'

export type QueryPlan = {
  /** Of type `sparsevec`. */
  vector: string
  /** Any of the rarest lexemes, or several at once where all are common: a small part of the Space that holds nearly all of the best. */
  narrow: string
  /** Any of the lexemes. */
  wide: string
  /** All of them. */
  lexemes: string[]
}

type Term = {
  lexeme: string
  count: number
  weight: number
  /** Whether it is all that its word of the question stands for. */
  alone: boolean
}

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

  return {
    vector: sparseVector(terms),
    narrow: narrowQuery(terms, total),
    wide: anyOf(terms),
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
  const add = (lexeme: string, times: number, alone = false) => {
    const count = inPassages(lexeme)
    const weight = idf(total, count) * times + (terms.get(lexeme)?.weight ?? 0)
    terms.set(lexeme, { lexeme, count, weight, alone })
  }

  let unknown = 0
  for (const { alternatives, times } of questionTerms(lexemes)) {
    const known = alternatives.filter((lexeme) => inPassages(lexeme) > 0)
    for (const lexeme of known.length > 0 ? known : alternatives) add(lexeme, times, known.length === 1)
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
 * What finds enough candidates: any of the rarest terms, two known ones if they are rare enough. What is ranked best
 * without these holds several of the others at once, so where the others are everywhere, candidates have to.
 */
function narrowQuery(terms: readonly Term[], total: number): string {
  const enough = Math.max(2000, total / 20)
  const rare: Term[] = []
  let candidates = 0
  let known = 0
  for (const [index, term] of terms.entries()) {
    if (candidates + term.count > enough * 2) {
      if (known >= 2 && candidates > enough / 4) break
      return [...rare.map(quoted), together(terms.slice(index), { total, enough })].join(' | ')
    }
    rare.push(term)
    candidates += term.count
    if (term.count > 0) known += 1
    if (known >= 2 && candidates > enough) break
  }
  return anyOf(rare)
}

/**
 * As many of the terms at once as leave enough candidates, were they spread independently; where they are not, too few
 * are found, and any of the terms is tried. Terms that stand for one word of the question seldom stand together.
 */
function together(terms: readonly Term[], { total, enough }: { total: number; enough: number }): string {
  const [first, ...others] = terms.filter(({ alone }) => alone)
  if (!first) return anyOf(terms.slice(0, 2))
  const chain = [first]
  let expected = first.count
  for (const term of others) {
    expected *= term.count / total
    if (expected < enough) break
    chain.push(term)
  }
  return `(${chain.map(quoted).join(' & ')})`
}

const quoted = ({ lexeme }: Term) => quoteLexeme(lexeme)
const anyOf = (terms: readonly Term[]) => terms.map(quoted).join(' | ')

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

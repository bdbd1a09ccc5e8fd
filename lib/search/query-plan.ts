// Turns a question's lexemes into Postgres queries: the query's side of BM25 and the candidates' conditions
// (stages.ts).

import type { QuestionLexeme } from '../db/repos/chunk_rankings.ts'
import { planStages, type Stages, type Term } from './stages.ts'
import type { TermCounts } from './term-counts.ts'
import { sparseVector } from './words/bm25.ts'
import { completions, type NearLexeme, nearLexemes } from './words/near-lexemes.ts'

export type QueryPlan = {
  /** A `sparsevec` literal. */
  vector: string
  stages: Stages
  lexemes: string[]
}

/** Maximum lexemes of a question that are ranked; the rarest are kept. */
const maxTerms = 200
/** Maximum unknown words that are still searched for: they may have been written a moment ago. */
const maxUnknown = 24
/** Maximum unknown words for which the whole vocabulary is searched for similar lexemes. */
const maxCompared = 6
const minBeginning = 3
const maxBegun = 4
type Asked = {
  lexemes: readonly QuestionLexeme[]
  /** The question's own lexemes; those after them are corrections, which count only if they are in the vocabulary. */
  words: readonly string[]
  unfinished: string | null
}

/** Null if the question has no lexeme: only stop words, or no word at all. */
export function planQuery(asked: Asked, spaces: readonly TermCounts[]): QueryPlan | null {
  const total = spaces.reduce((sum, space) => sum + space.chunks, 0)
  const byRarity = weighTerms(asked, spaces, total).sort((a, b) => a.count - b.count || b.weight - a.weight)
  const firstKnown = byRarity.findIndex(({ count }) => count > 0)
  const unknown = firstKnown === -1 ? byRarity.length : firstKnown
  const terms = [
    ...byRarity.slice(0, Math.min(unknown, maxUnknown)),
    ...byRarity.slice(unknown, unknown + maxTerms),
  ]
  if (terms.length === 0) return null

  return {
    vector: sparseVector(terms.map(({ lexeme, weight }) => [lexeme, weight])),
    stages: planStages(terms, total),
    lexemes: terms.map(({ lexeme }) => lexeme),
  }
}

/**
 * Lexemes in the vocabulary, unknown ones (they may have been written a moment ago), and the unknown ones' corrections.
 */
function weighTerms(
  { lexemes, words, unfinished }: Asked,
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

  let compared = 0
  for (const { alternatives, times, position } of questionTerms(lexemes)) {
    const inVocabulary = alternatives.filter((lexeme) => inPassages(lexeme) > 0)
    const isAsked = position <= words.length
    for (const lexeme of inVocabulary.length > 0 || !isAsked ? inVocabulary : alternatives)
      add(lexeme, times, inVocabulary.length === 1)
    if (inVocabulary.length > 0 || !isAsked || ++compared > maxCompared) continue
    for (const near of meant(words[position - 1] ?? '', alternatives[0]!, counts))
      add(near.lexeme, near.weight * times)
  }
  for (const { lexeme, weight } of unfinished ? completions(unfinished, counts) : []) {
    if (!terms.has(lexeme)) add(lexeme, weight)
  }
  return [...terms.values()]
}

/**
 * Candidates for an unknown word: words that begin with it or, if there are none, words that differ by a typing slip.
 */
function meant(word: string, lexeme: string, counts: readonly ReadonlyMap<string, number>[]): NearLexeme[] {
  const begun = word.length >= minBeginning ? completions(word, counts).slice(0, maxBegun) : []
  return begun.length > 0 ? begun : nearLexemes(lexeme, counts)
}

/**
 * A question's words, each with its lexemes in the configured languages. The question's language is taken to be the one
 * with the most of its words as stop words, which are then ignored.
 */
function questionTerms(
  lexemes: readonly QuestionLexeme[],
): { alternatives: string[]; times: number; position: number }[] {
  const places = [...Map.groupBy(lexemes, ({ place }) => place)].map(([place, own]) => ({
    place,
    positions: new Set(own.flatMap(({ positions }) => positions)),
  }))
  const likely = places.sort((a, b) => a.positions.size - b.positions.size || a.place - b.place)[0]
  const terms = new Map<string, { alternatives: Set<string>; times: number; position: number }>()

  for (const { lexeme, positions } of lexemes) {
    const meant = positions.filter((position) => likely?.positions.has(position))
    if (meant.length === 0) continue
    const key = meant.join(',')
    const term = terms.get(key) ?? {
      alternatives: new Set<string>(),
      times: meant.length,
      position: meant[0]!,
    }
    term.alternatives.add(lexeme)
    terms.set(key, term)
  }
  return [...terms.values()].map((term) => ({ ...term, alternatives: [...term.alternatives] }))
}

/** BM25 weight of a lexeme that occurs in `count` of `total` passages; both may be slightly off. */
function idf(total: number, count: number): number {
  const bounded = Math.min(count, total)
  return Math.log(1 + (total - bounded + 0.5) / (bounded + 0.5))
}

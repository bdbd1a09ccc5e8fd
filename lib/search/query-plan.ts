// A question as queries of Postgres. `planQuery` weighs the question's lexemes (the query's side of BM25), with
// corrections of unknown words; `planStages` makes of them the `tsquery`s of the passages that are ranked, one after the
// other. Ranking a passage costs about ten times as much as skipping it in the index, so the first stage asks for few:
// those that match most of the terms' combined weight. Their scores set the bound that any other passage must exceed,
// and nothing else is read.

import type { QuestionLexeme } from '../db/repos/chunks.ts'
import type { Question } from './question.ts'
import type { TermCounts } from './term-counts.ts'
import { sparseVector } from './words/index-words.ts'
import { completions, meantBy, minBeginning, slipsOf } from './words/near-lexemes.ts'

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

/**
 * `lexemes` are those of the words, of the joined ones and of the parts, in this order. The latter two count only if they
 * are in the vocabulary, parts only if the whole is not.
 */
type Asked = Pick<Question, 'words' | 'joined' | 'joinedShare' | 'split' | 'unfinished'> & {
  lexemes: readonly QuestionLexeme[]
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

/** A `tsquery` of any of the lexemes; '' for none. */
export const quotedLexemes = (lexemes: readonly QuestionLexeme[]): string =>
  [...new Set(lexemes.map(quoted))].join(' | ')

/**
 * Lexemes in the vocabulary, unknown ones (they may have been written a moment ago), and the unknown ones' corrections.
 */
function weighTerms(
  { lexemes, words, joined, joinedShare, split, unfinished }: Asked,
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

  /** Of pages and their like: a word that was only said may be a slip in what is written. */
  const written = (lexeme: string) =>
    inPassages(lexeme) - spaces.reduce((sum, { said }) => sum + (said.get(lexeme) ?? 0), 0)

  const asked = questionTerms(lexemes)
  const known = new Set(lexemes.flatMap(({ lexeme, positions }) => (inPassages(lexeme) > 0 ? positions : [])))
  let compared = 0
  for (const { alternatives, times, position } of asked) {
    const part = split[position - words.length - joined.length - 1]
    if (part && known.has(part.of)) continue
    const inVocabulary = alternatives.filter((lexeme) => inPassages(lexeme) > 0)
    const isAsked = position <= words.length
    for (const lexeme of inVocabulary.length > 0 || !isAsked ? inVocabulary : alternatives)
      add(lexeme, isAsked || part ? times : times * joinedShare, inVocabulary.length === 1)
    const word = words[position - 1] ?? ''
    const passages = Math.max(0, ...alternatives.map(written))
    if (passages > (isLong(word) ? maxDoubted : 0) || !isAsked || ++compared > maxCompared) continue
    const doubt = passages > 0 ? doubted : 1
    const accepts = (lexeme: string) => inVocabulary.length === 0 || written(lexeme) > 0
    const near =
      passages > 0
        ? slipsOf(alternatives, counts)
        : meantBy({ word, lexeme: alternatives[0]! }, counts, accepts)
    for (const { lexeme, weight } of near) if (!terms.has(lexeme)) add(lexeme, weight * times * doubt)
  }
  // One or two letters behind a word may become anything.
  const completed = unfinished && (unfinished.length >= minBeginning || words.length === 1) ? unfinished : ''
  for (const { lexeme, weight } of completed ? completions(completed, counts) : []) {
    if (!terms.has(lexeme)) add(lexeme, weight)
  }
  return [...terms.values()]
}

/** A word that stands in no more passages may be a slip of a more frequent one, which then counts this share. */
const maxDoubted = 3
const doubted = 0.2
const isLong = (word: string) => word.length > 4 && !/\p{N}/u.test(word)

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

export type Term = {
  lexeme: string
  count: number
  weight: number
  /** True if it is the only lexeme of its word. */
  alone: boolean
}

export type Stage = {
  tsquery: string
  /** Expected number of matching passages. */
  candidates: number
}

export type Stages = {
  /** Few passages, and the maximum score of any other; null: not worth a statement. */
  first: (Stage & { outside: number }) | null
  /** If that is not enough: all passages that may score more; null: none, or too many. */
  beyond(score: number): Stage | null
  /** From a sufficient number of candidates to all that contain any of the terms. Enough matches end the sequence. */
  others: Stage[]
}

/**
 * Maximum that a lexeme adds to a passage, relative to its weight: three occurrences in a passage of average length
 * (2.2 · 3 / 4.2). BM25's own limit is 2.2, which only a very short passage comes near.
 */
const maxPerLexeme = 1.6
/** Target size of the first statement, as a multiple of the requested results. */
const targetMatches = 100
/** If no more than these are ranked at once, an earlier statement costs more than it saves. */
const minSaved = 1000
/** The heaviest terms are combined, three at once; the others are assumed to be in every passage. */
const maxCombined = 8
const maxTogether = 3
/** Shares of the terms' total weight: the first one tried, the lowest, and the step. */
const shares = { from: 0.95, to: 0.3, step: 0.05 }

/** `terms`: rarest first. `total`: number of passages. */
export function planStages(terms: readonly Term[], total: number): Stages {
  const enough = Math.max(2000, total / 40)
  const wide = { tsquery: anyOf(terms), candidates: countOf(terms) }
  const narrow = narrowStage(terms, { total, enough })
  const others = narrow.tsquery === wide.tsquery ? [wide] : [narrow, wide]
  const isMany = others[0]!.candidates > minSaved
  const ifFewer = <Found extends Stage>(found: Found, part: number) =>
    found.candidates <= others[0]!.candidates * part ? found : null
  const first = isMany ? firstStage(terms, total) : null

  return {
    first: first && ifFewer(first, 1 / 2),
    beyond: (score) => ifFewer(passagesOver(score, terms, total), 1),
    others,
  }
}

function firstStage(terms: readonly Term[], total: number): (Stage & { outside: number }) | null {
  const all = weightOf(terms) * maxPerLexeme
  for (let share = shares.from; share >= shares.to; share -= shares.step) {
    const outside = all * share
    const filter = passagesOver(outside, terms, total)
    if (filter.candidates >= targetMatches) return { ...filter, outside }
  }
  return null
}

/** Passages whose terms add up to at least this much. An empty `tsquery`: there is none. */
function passagesOver(score: number, terms: readonly Term[], total: number): Stage {
  const byWeight = terms.toSorted((a, b) => b.weight - a.weight)
  const combined = byWeight.slice(0, maxCombined)
  const others = weightOf(byWeight.slice(maxCombined))
  /** Maximum contribution of the terms from an index on. */
  const from = combined.map((_, at) => weightOf(combined.slice(at)) * maxPerLexeme)

  function combine(start: number, missing: number, depth: number): { parts: string[]; share: number } {
    const parts: string[] = []
    let share = 0
    for (const [at, term] of combined.entries()) {
      if (at < start) continue
      if (from[at]! < missing) break
      const remaining = missing - term.weight * maxPerLexeme
      const rest = remaining > 0 && depth < maxTogether ? combine(at + 1, remaining, depth + 1) : null
      if (rest?.parts.length === 0) continue
      parts.push(rest ? `(${quoted(term)} & ${anyPart(rest.parts)})` : quoted(term))
      share += Math.min(1, term.count / total) * Math.min(1, rest?.share ?? 1)
    }
    return { parts, share }
  }
  const missing = score - others * maxPerLexeme
  if (missing <= 0) return { tsquery: anyOf(terms), candidates: countOf(terms) }
  const { parts, share } = combine(0, missing, 1)
  return { tsquery: parts.join(' | '), candidates: share * total }
}

/**
 * Finds enough candidates: any of the rarest terms, or two known ones if they are rare enough. The best passages
 * without these contain several of the other terms at once, so if the others are common, candidates must contain
 * several.
 */
function narrowStage(terms: readonly Term[], { total, enough }: { total: number; enough: number }): Stage {
  const rare: Term[] = []
  let candidates = 0
  let knownTerms = 0
  for (const [index, term] of terms.entries()) {
    if (candidates + term.count > enough * 2) {
      if (knownTerms >= 2 && candidates > enough / 4) break
      const several = together(terms.slice(index), { total, enough })
      const tsquery = [...rare.map(quoted), several.tsquery].join(' | ')
      return { tsquery, candidates: candidates + several.candidates }
    }
    rare.push(term)
    candidates += term.count
    if (term.count > 0) knownTerms += 1
    if (knownTerms >= 2 && candidates > enough) break
  }
  return { tsquery: anyOf(rare), candidates }
}

/**
 * As many terms at once as leave enough candidates, if they were spread independently; if they are not, there are too
 * few matches and any of the terms is tried. Terms of one word seldom occur together.
 */
function together(terms: readonly Term[], { total, enough }: { total: number; enough: number }): Stage {
  const [first, ...others] = terms.filter(({ alone }) => alone)
  if (!first) {
    const two = terms.slice(0, 2)
    return { tsquery: anyOf(two), candidates: countOf(two) }
  }
  const chain = [first]
  let candidates = first.count
  for (const term of others) {
    const remaining = (candidates * term.count) / total
    if (remaining < enough) break
    candidates = remaining
    chain.push(term)
  }
  const all = chain.map(quoted).join(' & ')
  return { tsquery: chain.length > 1 ? `(${all})` : all, candidates }
}

const countOf = (terms: readonly Term[]) => terms.reduce((sum, { count }) => sum + count, 0)
const weightOf = (terms: readonly Term[]) => terms.reduce((sum, { weight }) => sum + weight, 0)
const anyOf = (terms: readonly Term[]) => terms.map(quoted).join(' | ')
const anyPart = (parts: readonly string[]) => (parts.length > 1 ? `(${parts.join(' | ')})` : parts[0]!)
const quoted = ({ lexeme }: { lexeme: string }) =>
  `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

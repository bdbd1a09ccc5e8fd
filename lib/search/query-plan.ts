// From the lexemes of a question to what Postgres is asked: the query's side of BM25, and for candidates one `tsquery`
// after another, each with more of them, until what is left out cannot be among the best.

import { createHash } from 'node:crypto'
import type { QuestionLexeme } from '../db/repos/chunk_rankings.ts'
import { completions, type NearLexeme, nearLexemes } from './near-lexemes.ts'
import type { TermCounts } from './term-counts.ts'

export type QueryPlan = {
  /** Of type `sparsevec`. */
  vector: string
  /** From few candidates to all that hold any of the lexemes. */
  stages: Stage[]
  lexemes: string[]
}

export type Stage = {
  tsquery: string
  /** What a passage that it does not find scores at most; 0: that is not known, and ten found are good enough. */
  outside: number
}

/** `candidates`: passages that it is expected to find. */
type Expected = Stage & { candidates: number }

type Term = {
  lexeme: string
  count: number
  weight: number
  /** Whether it is the only lexeme of its word of the question. */
  alone: boolean
}

/** A question longer than this is ranked by its rarest lexemes. */
const maxTerms = 200
/** Words that are known nowhere and yet looked for: they may have been written a moment ago. */
const maxUnknown = 24
/** Of these, those that near lexemes are looked for, through the whole vocabulary. */
const maxCompared = 6
/** Terms that are looked for two at a time. */
const maxPaired = 4
/** Of the passages: a term in more of them takes long to pair. */
const maxPairedShare = 1 / 5
const minBeginning = 3
const maxBegun = 4
/**
 * What a lexeme adds to a passage at most, of its weight: as much as where it occurs three times in one of average
 * length (2.2 · 3 / 4.2). BM25's own limit is 2.2, which only a very short passage comes near to.
 */
const maxPerLexeme = 1.6
/** Passages that an answer is taken to want. A lexeme that occurs in fewer says nothing about the last of them. */
const wanted = 10

type Asked = {
  lexemes: readonly QuestionLexeme[]
  /** Those of the question; lexemes behind them are of words that it may have meant and count only where known. */
  words: readonly string[]
  unfinished: string | null
}

/** Null when the question has no lexeme: only stop words, or no word at all. */
export function planQuery(asked: Asked, spaces: readonly TermCounts[]): QueryPlan | null {
  const total = spaces.reduce((sum, space) => sum + space.chunks, 0)
  const byRarity = weighTerms(asked, spaces, total).sort((a, b) => a.count - b.count || b.weight - a.weight)
  const known = byRarity.findIndex(({ count }) => count > 0)
  const unknown = known === -1 ? byRarity.length : known
  const terms = [
    ...byRarity.slice(0, Math.min(unknown, maxUnknown)),
    ...byRarity.slice(unknown, unknown + maxTerms),
  ]
  if (terms.length === 0) return null

  return {
    vector: sparseVector(terms),
    stages: stagesOf(terms, total),
    lexemes: terms.map(({ lexeme }) => lexeme),
  }
}

/** Known lexemes, unknown ones (they may have been written a moment ago), and what the unknown may have meant. */
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
    const known = alternatives.filter((lexeme) => inPassages(lexeme) > 0)
    const isAsked = position <= words.length
    for (const lexeme of known.length > 0 || !isAsked ? known : alternatives)
      add(lexeme, times, known.length === 1)
    if (known.length > 0 || !isAsked || ++compared > maxCompared) continue
    for (const near of meant(words[position - 1] ?? '', alternatives[0]!, counts))
      add(near.lexeme, near.weight * times)
  }
  for (const { lexeme, weight } of unfinished ? completions(unfinished, counts) : []) {
    if (!terms.has(lexeme)) add(lexeme, weight)
  }
  return [...terms.values()]
}

/** What an unknown word may have meant: words that begin with it, and only where there are none, a slip. */
function meant(word: string, lexeme: string, counts: readonly ReadonlyMap<string, number>[]): NearLexeme[] {
  const begun = word.length >= minBeginning ? completions(word, counts).slice(0, maxBegun) : []
  return begun.length > 0 ? begun : nearLexemes(lexeme, counts)
}

/**
 * The words of a question, each as the lexemes that the configured languages make of it. The question is taken to be
 * of the language that knows the most of its words as stop words, and those count for nothing.
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

/** BM25's weight of a lexeme that occurs in `count` of `total` passages; both may be a little off. */
function idf(total: number, count: number): number {
  const bounded = Math.min(count, total)
  return Math.log(1 + (total - bounded + 0.5) / (bounded + 0.5))
}

/**
 * Each has to be worth its statement: it finds at most half of what the next one does, and passages that hold its terms
 * once would be good enough.
 */
function stagesOf(terms: readonly Term[], total: number): Stage[] {
  const enough = Math.max(2000, total / 40)
  const wide = { tsquery: anyOf(terms), outside: 0, candidates: countOf(terms) }
  const narrow = narrowStage(terms, { total, enough })
  const stages: Expected[] = narrow.tsquery === wide.tsquery ? [wide] : [narrow, wide]
  for (const most of [enough, enough / 4]) {
    const rarest = rarestStage(terms, most)
    const { candidates, outside, once } = rarest
    if (candidates > 0 && candidates <= stages[0]!.candidates / 2 && once > outside) stages.unshift(rarest)
  }
  const paired = pairStage(terms, { total, enough })
  const isFewer = paired.candidates >= 2 * wanted && paired.candidates <= stages[0]!.candidates / 2
  if (isFewer && paired.once > paired.outside) stages.unshift(paired)
  return stages.map(({ tsquery, outside }) => ({ tsquery, outside }))
}

/** Any of the rarest terms, as many of them as occur in no more than `most` passages. */
function rarestStage(terms: readonly Term[], most: number): Expected & { once: number } {
  const rare: Term[] = []
  let candidates = 0
  for (const term of terms) {
    if (candidates + term.count > most) break
    rare.push(term)
    candidates += term.count
  }
  return {
    tsquery: anyOf(rare),
    outside: weightOf(terms.slice(rare.length)) * maxPerLexeme,
    candidates,
    once: weightOf(rare.filter(({ count }) => count >= wanted)),
  }
}

/**
 * Any of the rarest terms, or two of the next ones at once: what it does not find holds one of these at the most.
 */
function pairStage(
  terms: readonly Term[],
  { total, enough }: { total: number; enough: number },
): Expected & { once: number } {
  let rarest = 0
  let candidates = 0
  for (const { count } of terms) {
    if (candidates + count > enough / 4) break
    candidates += count
    rarest += 1
  }
  const rare = terms.slice(0, rarest)
  const next = terms.slice(rarest, rarest + maxPaired).filter(({ count }) => count <= total * maxPairedShare)
  const pairs = next.flatMap((one, at) => next.slice(at + 1).map((other) => [one, other] as const))
  const common = terms.slice(rarest + next.length)
  const heaviest = Math.max(0, ...next.map(({ weight }) => weight))
  return {
    tsquery: [...rare.map(quoted), ...pairs.map((pair) => `(${pair.map(quoted).join(' & ')})`)].join(' | '),
    outside: (heaviest + weightOf(common)) * maxPerLexeme,
    candidates: candidates + pairs.reduce((sum, [one, other]) => sum + (one.count * other.count) / total, 0),
    once: pairs.length > 0 ? weightOf(rare.filter(({ count }) => count >= wanted)) + weightOf(next) : 0,
  }
}

/**
 * What finds enough candidates: any of the rarest terms, two known ones if they are rare enough. What is ranked best
 * without these holds several of the others at once, so where the others are everywhere, candidates have to.
 */
function narrowStage(terms: readonly Term[], { total, enough }: { total: number; enough: number }): Expected {
  const rare: Term[] = []
  let candidates = 0
  let known = 0
  for (const [index, term] of terms.entries()) {
    if (candidates + term.count > enough * 2) {
      if (known >= 2 && candidates > enough / 4) break
      const several = together(terms.slice(index), { total, enough })
      const tsquery = [...rare.map(quoted), several.tsquery].join(' | ')
      return { tsquery, outside: 0, candidates: candidates + several.candidates }
    }
    rare.push(term)
    candidates += term.count
    if (term.count > 0) known += 1
    if (known >= 2 && candidates > enough) break
  }
  return { tsquery: anyOf(rare), outside: 0, candidates }
}

/**
 * As many of the terms at once as leave enough candidates, were they spread independently; where they are not, too few
 * are found, and any of the terms is tried. Terms of one word of the question seldom occur together.
 */
function together(
  terms: readonly Term[],
  { total, enough }: { total: number; enough: number },
): Pick<Expected, 'tsquery' | 'candidates'> {
  const [first, ...others] = terms.filter(({ alone }) => alone)
  if (!first) {
    const two = terms.slice(0, 2)
    return { tsquery: anyOf(two), candidates: countOf(two) }
  }
  const chain = [first]
  let candidates = first.count
  for (const term of others) {
    const left = (candidates * term.count) / total
    if (left < enough) break
    candidates = left
    chain.push(term)
  }
  const all = chain.map(quoted).join(' & ')
  return { tsquery: chain.length > 1 ? `(${all})` : all, candidates }
}

const quoted = ({ lexeme }: Term) => quoteLexeme(lexeme)
const countOf = (terms: readonly Term[]) => terms.reduce((sum, { count }) => sum + count, 0)
const weightOf = (terms: readonly Term[]) => terms.reduce((sum, { weight }) => sum + weight, 0)
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

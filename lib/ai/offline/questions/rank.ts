// Which passages of what was found answer the question. A block is worth the question's words it holds, the rare ones
// more, with help from its headings and from looking like the kind of answer that is wanted.

import { wordsOf } from '../../../search/words.ts'
import type { Found } from '../answers.ts'
import { answerShape } from './answer-shape.ts'
import type { Keywords, Term } from './keywords.ts'
import { type Reading, readBlocks, textOf } from './readings.ts'
import type { Segment } from './segments.ts'
import { stem } from './stem.ts'
import { stemsOf } from './stems.ts'
import { type BoundTerm, bestForm, bindTerm } from './terms.ts'

export type Candidate = {
  found: Found
  block: number
  heading: string
  segments: Segment[]
  score: number
  /** The terms that stand in the text itself. */
  held: Set<Term>
  /** Those that stand in the text, its headings or its title. */
  covered: Set<Term>
}

export type Ranking = { candidates: Candidate[]; terms: BoundTerm[] }

/** All quotable blocks that hold something of the question, best first. */
export function rankBlocks(found: readonly Found[], keywords: Keywords): Ranking {
  const readings = readBlocks(found)
  const terms = keywords.terms.map((term) => bindTerm(term, readings))
  const candidates = readings
    .map((reading, at) => toCandidate(reading, terms, score(reading, terms, keywords, at)))
    .filter(({ covered }) => covered.size > 0 || terms.length === 0)
    .sort((a, b) => b.score - a.score)
  return { candidates, terms }
}

/** The share of a question that an answer must hold; less, and it is looked for in other words, or doubted. */
export const enough = 0.58

/** The share of the question, by weight, that these candidates hold; 1 for a question without terms. */
export function coverage(candidates: readonly Candidate[], keywords: Keywords): number {
  const covered = new Set(candidates.flatMap((candidate) => [...candidate.covered]))
  return weightOf(keywords.terms) === 0 ? 1 : weightOf([...covered]) / weightOf(keywords.terms)
}

const weightOf = (terms: readonly Term[]) => terms.reduce((sum, { weight }) => sum + weight, 0)

/** How much of the question a segment holds. */
export function weigh(segment: Segment, terms: readonly BoundTerm[]): number {
  // The words in an address are no statement.
  const text = segment.kind === 'fact' ? segment.text.replace(/https?:\/\/\S+/g, '') : segment.text
  const stems = stemsOf(text)
  return terms.reduce((sum, bound) => sum + bestForm(bound, stems) * bound.rarity, 0)
}

function toCandidate(reading: Reading, terms: BoundTerm[], score: number): Candidate {
  const { found, block, heading, segments, text, above } = reading
  const held = terms.filter((bound) => bestForm(bound, text) > 0)
  const covered = terms.filter((bound) => bestForm(bound, text) > 0 || bestForm(bound, above) > 0)
  return {
    ...{ found, block, heading, segments, score },
    held: new Set(held.map(({ term }) => term)),
    covered: new Set(covered.map(({ term }) => term)),
  }
}

/** `at` is the place among all blocks: search has put the best first. */
function score(reading: Reading, terms: BoundTerm[], keywords: Keywords, at: number): number {
  const { text, asked, above, segments, heading } = reading
  const words = terms.reduce((total, bound) => {
    const place = Math.max(bestForm(bound, text), 0.6 * bestForm(bound, above), 0.3 * bestForm(bound, asked))
    const both = bestForm(bound, text) > 0 && bestForm(bound, above) > 0 ? 0.35 : 0
    return total + bound.rarity * (place + both)
  }, 0)
  const most = Math.max(0.5, ...terms.map(({ rarity }) => rarity))
  const extras =
    answerShape(segments, heading, keywords.wants) +
    headingBonus(reading, terms) +
    (keywords.defines ? definition(segments, terms) : 0) +
    Math.min(0.75, 0.25 * keywords.pairs.filter((pair) => reading.flow.includes(` ${pair} `)).length) +
    0.2 * Math.min(1, 200 / (textOf(segments).length + 1)) +
    Math.max(0, 0.25 - at * 0.01)
  return (words + most * extras) * (reading.isIndex ? 0.6 : 1)
}

/** A heading that says the whole question stands over its answer, and a title over the first words of a page. */
function headingBonus({ headingStems, titleStems, above, block }: Reading, terms: BoundTerm[]): number {
  const all = (stems: Set<string>) => terms.length > 0 && terms.every((bound) => bestForm(bound, stems) > 0)
  const words = [...titleStems]
  const isNamed = words.length > 0 && words.every((each) => terms.some(({ stems }) => stems.has(each)))
  const isWholeTitle = isNamed && all(titleStems)
  if (isWholeTitle && block < 2) return 1
  if (isNamed) return 0.5
  if (all(headingStems)) return terms.length > 1 ? 0.9 : 0.4
  return all(above) && block < 2 ? 0.3 : 0
}

/** Whether a sentence, row or item begins with what is asked about, best as "A ref is …" or "ref — …". */
function definition(segments: readonly Segment[], terms: BoundTerm[]): number {
  const worths = segments.map(({ text, kind }) => {
    const words = wordsOf(text.slice(0, 200)).filter((word) => !['a', 'an', 'the'].includes(word))
    const first = new Set(words.slice(0, terms.length).map(stem))
    if (terms.length === 0 || !terms.every((bound) => bestForm(bound, first) > 0)) return 0
    return kind === 'row' || definingVerbs.has(words[terms.length] ?? '') ? 1.3 : 0.8
  })
  return Math.max(0, ...worths)
}

const definingVerbs = new Set(['is', 'are', 'was', 'means', 'ist', 'sind', 'war', 'est', 'sont'])

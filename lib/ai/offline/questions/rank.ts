// Which passages of what was found answer the question. A block is worth the question's words it holds, the rare ones
// more, with help from its headings and from looking like the kind of answer that is wanted.

import { distanceFrom } from '../../../search/edit-distance.ts'
import { wordsOf } from '../../../search/words.ts'
import type { Found } from '../answers.ts'
import type { Keywords, Term, Wanted } from './keywords.ts'
import { type Segment, segmentBlocks } from './segments.ts'
import { stem } from './stem.ts'

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

/** A term with the stems that count as it among these texts, and how rare it is there. */
export type BoundTerm = { term: Term; stems: Map<string, number>; rarity: number }

export type Ranking = { candidates: Candidate[]; terms: BoundTerm[] }

type Reading = Omit<Candidate, 'score' | 'held' | 'covered'> & {
  text: Set<string>
  asked: Set<string>
  above: Set<string>
}

/** All quotable blocks that hold something of the question, best first. */
export function rankBlocks(found: readonly Found[], keywords: Keywords): Ranking {
  const readings = readBlocks(found)
  const terms = keywords.terms.map((term) => bindTerm(term, readings))
  const candidates = readings
    .map((reading, at) => score(reading, terms, keywords.wants, at))
    .filter(({ covered }) => covered.size > 0 || terms.length === 0)
    .sort((a, b) => b.score - a.score)
  return { candidates, terms }
}

/** The share of the question, by weight, that these candidates hold; 1 for a question without terms. */
export function coverage(candidates: readonly Candidate[], keywords: Keywords): number {
  const covered = new Set(candidates.flatMap((candidate) => [...candidate.covered]))
  const total = keywords.terms.reduce((sum, { weight }) => sum + weight, 0)
  const held = keywords.terms.filter((term) => covered.has(term)).reduce((sum, { weight }) => sum + weight, 0)
  return total === 0 ? 1 : held / total
}

/** How much of the question a segment holds. */
export function weigh(segment: Segment, terms: readonly BoundTerm[]): number {
  const stems = stemsOf(segment.text)
  return terms.reduce((sum, bound) => sum + bestForm(bound, stems) * bound.rarity, 0)
}

function readBlocks(found: readonly Found[]): Reading[] {
  const seen = new Set<string>()
  return found.flatMap((each) =>
    segmentBlocks(each.blocks).flatMap(({ block, heading, segments }): Reading[] => {
      const raw = `${each.id}\n${each.blocks[block]}`
      if (segments.length === 0 || seen.has(raw) || each.blocks[block] === '(empty)') return []
      seen.add(raw)
      const isQuestion = (segment: Segment) => /\?["'”»)]*$/.test(segment.text)
      return [
        {
          found: each,
          block,
          heading,
          segments,
          text: stemsOf(textOf(segments.filter((segment) => !isQuestion(segment)))),
          asked: stemsOf(textOf(segments.filter(isQuestion))),
          above: stemsOf(`${each.title} ${heading}`),
        },
      ]
    }),
  )
}

const textOf = (segments: Segment[]) => segments.map(({ text }) => text).join(' ')

const stemsOf = (text: string) => new Set(wordsOf(text.slice(0, 20_000)).map(stem))

function bindTerm(term: Term, readings: Reading[]): BoundTerm {
  const vocabulary = new Set(readings.flatMap(({ text, above }) => [...text, ...above]))
  const stems = new Map<string, number>()
  for (const other of term.otherStems) if (vocabulary.has(other)) stems.set(other, 0.7)
  for (const own of term.stems) if (vocabulary.has(own)) stems.set(own, 1)
  if (stems.size === 0) for (const near of nearStems(term.stems[0] ?? '', vocabulary)) stems.set(near, 0.8)

  const holding = readings.filter(({ text, above }) =>
    [...stems.keys()].some((s) => text.has(s) || above.has(s)),
  )
  return { term, stems, rarity: Math.log(1 + (readings.length + 1) / (holding.length + 0.5)) * term.weight }
}

/** For a typing error: stems that differ by one letter, or two in a long word. */
function nearStems(wanted: string, vocabulary: Set<string>): string[] {
  const most = wanted.length >= 8 ? 2 : wanted.length >= 5 ? 1 : 0
  if (most === 0 || /\d/.test(wanted)) return []
  const distance = distanceFrom(wanted, most)
  return [...vocabulary].filter((word) => word[0] === wanted[0] && distance(word) <= most)
}

function score(reading: Reading, terms: BoundTerm[], wants: Wanted, at: number): Candidate {
  const { text, asked, above, ...rest } = reading
  const held = terms.filter((bound) => bestForm(bound, text) > 0)
  const covered = terms.filter((bound) => bestForm(bound, text) > 0 || bestForm(bound, above) > 0)
  const sum = terms.reduce((total, bound) => {
    const place = Math.max(bestForm(bound, text), 0.6 * bestForm(bound, above), 0.3 * bestForm(bound, asked))
    const both = bestForm(bound, text) > 0 && bestForm(bound, above) > 0 ? 0.35 : 0
    return total + bound.rarity * (place + both)
  }, 0)
  const most = Math.max(0.5, ...terms.map(({ rarity }) => rarity))

  return {
    ...rest,
    score: sum + most * (fits(reading.segments, wants) + Math.max(0, 0.25 - at * 0.01)),
    held: new Set(held.map(({ term }) => term)),
    covered: new Set(covered.map(({ term }) => term)),
  }
}

function bestForm({ stems }: BoundTerm, words: Set<string>): number {
  let best = 0
  for (const [stem, worth] of stems) if (worth > best && words.has(stem)) best = worth
  return best
}

const month = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}'
const dateLike = new RegExp(
  `\\b\\d{4}-\\d\\d|\\b\\d{1,2}(?:st|nd|rd|th|\\.)? ${month}\\b|\\b${month} \\d|\\b(?:19|20)\\d\\d\\b`,
  'i',
)

function fits(segments: Segment[], wants: Wanted): number {
  const text = textOf(segments).slice(0, 5000)
  switch (wants) {
    case 'when':
      return dateLike.test(text) ? 0.6 : 0
    case 'many':
      return /\d/.test(text) ? 0.5 : 0
    case 'how':
      return segments.some(({ kind, marker }) => kind === 'code' || /\d/.test(marker)) ? 0.4 : 0
    case 'why':
      return /\b(because|since|so that|therefore|weil|parce que)\b/i.test(text) ? 0.4 : 0
    case 'who':
      return /[\p{L}a-z] \p{Lu}\p{Ll}/u.test(text) ? 0.2 : 0
    case 'where':
      return /\b(in|at|under|on)\b|\/\w/.test(text) ? 0.1 : 0
    default:
      return 0
  }
}

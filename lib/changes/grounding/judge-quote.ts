// Whether quoted words stand in a source, and if not, what was done to them. No model: words are compared with words.

import type { QuoteVerdict } from '../../contract/card.ts'
import { quoteStretches } from './quote-words.ts'

/** A text to hold a quotation against. */
export type QuoteSource = {
  entity_type: string
  entity_id: string
  title: string
  /** By `quoteWords`. */
  words: readonly string[]
}

export type Judgement = {
  verdict: Exclude<QuoteVerdict, 'misattributed' | 'unchecked'>
  /** Where the words stand, or what comes nearest; `null` for nothing. */
  source: QuoteSource | null
  /** The words of the source that come nearest, for a quotation that is not verbatim. */
  nearest: string | null
}

/** Words in a row that are no accident. */
const leastRun = 3
/** Words that may lie between two runs in the source before it counts as put together from two places. */
const nearby = 6
/** Below this share of words found in runs, the quotation is made up. */
const leastFound = 0.5
const mostWords = 600

export function judgeQuote(quote: string, sources: readonly QuoteSource[]): Judgement {
  const stretches = quoteStretches(quote)
  const holder = sources.find(({ words }) => holds(words, stretches))
  if (holder) return { verdict: 'verbatim', source: holder, nearest: null }

  const words = stretches.flat().slice(0, mostWords)
  const runs = runsIn(words, sources)
  const found = runs.reduce((sum, { length }) => sum + length, 0)
  const longest = runs.toSorted((a, b) => b.length - a.length)[0]
  if (!longest || found / words.length < leastFound)
    return { verdict: 'not_found', source: null, nearest: null }
  const nearest = around(longest, words.length)
  return { verdict: isSpliced(runs) ? 'spliced' : 'altered', source: longest.source, nearest }
}

/** Whether all stretches stand in the words, in their order. */
function holds(words: readonly string[], stretches: readonly (readonly string[])[]): boolean {
  const text = ` ${words.join(' ')} `
  let position = 0
  return stretches.every((stretch) => {
    const at = text.indexOf(` ${stretch.join(' ')} `, position)
    position = at + stretch.join(' ').length
    return at >= 0
  })
}

type Run = { from: number; length: number; source: QuoteSource; at: number }

/** The quotation covered from left to right with the longest runs of words that stand in a source. */
function runsIn(words: readonly string[], sources: readonly QuoteSource[]): Run[] {
  const wanted = new Set(words)
  const places = sources.map((source) => ({ source, at: placesOf(source.words, wanted) }))
  const runs: Run[] = []
  let from = 0
  while (from < words.length) {
    const run = longestAt(words, from, places, runs.at(-1))
    if (run && run.length >= leastRun) runs.push(run)
    from += run && run.length >= leastRun ? run.length : 1
  }
  return runs
}

type Places = { source: QuoteSource; at: Map<string, number[]> }

function placesOf(words: readonly string[], wanted: ReadonlySet<string>): Map<string, number[]> {
  const places = new Map<string, number[]>()
  words.forEach((word, index) => {
    if (!wanted.has(word)) return
    const list = places.get(word)
    if (list) list.push(index)
    else places.set(word, [index])
  })
  return places
}

function longestAt(
  words: readonly string[],
  from: number,
  places: readonly Places[],
  last?: Run,
): Run | null {
  let best: Run | null = null
  for (const { source, at } of places) {
    for (const place of at.get(words[from]!) ?? []) {
      let length = 1
      while (from + length < words.length && source.words[place + length] === words[from + length]) length++
      const run = { from, length, source, at: place }
      if (
        !best ||
        length > best.length ||
        (length === best.length && distance(last, run) < distance(last, best))
      )
        best = run
    }
  }
  return best
}

const distance = (last: Run | undefined, run: Run): number =>
  !last || last.source !== run.source ? Infinity : Math.abs(run.at - (last.at + last.length))

/** Two runs that follow each other in the quotation and not in the source. */
function isSpliced(runs: readonly Run[]): boolean {
  return runs.slice(1).some((run, index) => {
    const before = runs[index]!
    const between = run.from - (before.from + before.length)
    const apart = run.at - (before.at + before.length)
    return run.source !== before.source || apart < 0 || apart > between + nearby
  })
}

const around = ({ source, at, from }: Run, length: number): string =>
  source.words
    .slice(Math.max(0, at - from), at - from + length + nearby)
    .join(' ')
    .slice(0, 600)
    .toWellFormed()

// Whether quoted words occur in a source, and if not, how they were changed. No model: words are compared with words.

import type { QuoteVerdict } from '../../contract/changes/provenance.ts'
import { longestRuns } from '../../core/text/words/longest-runs.ts'
import { quoteParts } from '../../core/text/words/quote-words.ts'
import { type Placement, placeQuote } from './place-quote.ts'
import type { QuoteSource } from './quote-source.ts'

export type Judgement = {
  verdict: Exclude<QuoteVerdict, 'misattributed' | 'unchecked'>
  /** Where the words occur, or the nearest passage; `null` for neither. */
  source: QuoteSource | null
  /** The words of the source that come nearest, for a quotation that is not verbatim. */
  nearest: string | null
  /** For one that leaves out or puts in what changes it: those words. */
  changed: readonly string[]
}

/** Words in a row that are no accident. */
const minRunWords = 3
/** Words that may lie between two runs in the source before it counts as put together from two places. */
const nearby = 6
/** Below this share of words found in runs, the quotation is made up. */
const minFoundShare = 0.5
const maxWords = 600

export function judgeQuote(quote: string, sources: readonly QuoteSource[]): Judgement {
  const quotation = quoteParts(quote)
  const placed: (Placement & { source: QuoteSource })[] = []
  for (const source of sources) {
    const placement = placeQuote(quotation, source)
    if (placement) placed.push({ source, ...placement })
    if (placement?.verdict === order[0]) break
  }
  const best = order.flatMap((verdict) => placed.find((one) => one.verdict === verdict) ?? [])[0]
  if (best) {
    const { verdict, source, changed, start, end } = best
    const nearest = verdict === 'verbatim' ? null : excerpt(source.words, start, end)
    return { verdict, source, nearest, changed }
  }

  const words = quotation.parts.flatMap((part) => part.words).slice(0, maxWords)
  const runs = runsIn(words, sources)
  const found = runs.reduce((sum, { length }) => sum + length, 0)
  const bestRun = runs.toSorted((a, b) => b.length - a.length)[0]
  if (!bestRun || found / words.length < minFoundShare)
    return { verdict: 'not_found', source: null, nearest: null, changed: [] }
  const nearest = around(bestRun, words.length)
  return { verdict: isSpliced(runs) ? 'spliced' : 'altered', source: bestRun.source, nearest, changed: [] }
}

/** The best first. */
const order = ['verbatim', 'shortened', 'with_insertions', 'altered'] as const

type Run = { from: number; length: number; source: QuoteSource; at: number }

/** The quotation covered from left to right with the longest runs of words found in a source. */
function runsIn(words: readonly string[], sources: readonly QuoteSource[]): Run[] {
  const common = sources.map((source) => ({ source, runs: longestRuns(words, source.words) }))
  const runs: Run[] = []
  let from = 0
  while (from < words.length) {
    const last = runs.at(-1)
    const found = common
      .map(({ source, runs }): Run => ({ from, source, ...runs[from]! }))
      .filter(({ length }) => length >= minRunWords)
      .map((run) => behind(last, run))
      .toSorted((a, b) => b.length - a.length || Number(follows(last, b)) - Number(follows(last, a)))[0]
    if (found) runs.push(found)
    from += found?.length ?? 1
  }
  return runs
}

/** The run where the source has it shortly behind the last one, if it does. */
function behind(last: Run | undefined, run: Run): Run {
  if (last?.source !== run.source) return run
  const { words } = run.source
  const wanted = words.slice(run.at, run.at + run.length)
  const end = last.at + last.length
  for (let at = end; at <= end + run.from - (last.from + last.length) + nearby; at++) {
    if (wanted.every((word, index) => words[at + index] === word)) return { ...run, at }
  }
  return run
}

/** Whether a run follows the one before in the source as it does in the quotation. */
function follows(before: Run | undefined, run: Run): boolean {
  if (before?.source !== run.source) return false
  const between = run.from - (before.from + before.length)
  const apart = run.at - (before.at + before.length)
  return apart >= 0 && apart <= between + nearby
}

/** Two runs that follow each other in the quotation and not in the source. */
const isSpliced = (runs: readonly Run[]): boolean =>
  runs.slice(1).some((run, index) => !follows(runs[index], run))

const around = ({ source, at, from }: Run, length: number): string =>
  excerpt(source.words, Math.max(0, at - from), at - from + length + nearby)

const excerpt = (words: readonly string[], start: number, end: number): string =>
  words
    .slice(start, Math.min(end, start + maxWords))
    .join(' ')
    .slice(0, 600)
    .toWellFormed()

// Whether quoted words occur in a source, and if not, how they were changed. No model: words are compared with words.

import type { QuoteVerdict } from '../../contract/changes/provenance.ts'
import { findRuns } from '../../core/text/words/find-runs.ts'
import { longestRuns } from '../../core/text/words/longest-runs.ts'
import { namesIn, type QuotePart, quoteParts, quoteWords } from '../../core/text/words/quote-words.ts'
import { isWeighty } from '../../core/text/words/weighty-words.ts'

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

type Placement = {
  verdict: 'verbatim' | 'shortened' | 'with_insertions' | 'altered'
  /** Words of weight that were left out or put in. */
  changed: string[]
  /** Where it begins and ends among the words of the source. */
  start: number
  end: number
}

/** Words of the source that one mark of omission may stand for, and one pair of brackets. */
const maxOmitted = 60

const maxReplaced = 10

/** Single words between marks of omission are from anywhere. */
const minPartWords = 2

const maxParts = 20

const maxTried = 5

type Quotation = ReturnType<typeof quoteParts>

type Reached = { start: number; end: number; before: Reached | null }

/**
 * Where a source has the parts of a quotation, in their order and near each other, and whether what lies between them
 * was left out or replaced without changing what is said; `null` where it does not have them so.
 */
function placeQuote({ parts, putInAtEnds }: Quotation, source: QuoteSource): Placement | null {
  if (parts.length === 0 || parts.length > maxParts) return null
  if (parts.length > 1 && parts.some(({ words }) => words.length < minPartWords)) return null
  // Most sources lack a word of it, which is seen sooner than that they lack the run.
  if (!parts.every(({ words }) => words.every((word) => source.vocabulary.has(word)))) return null
  let reached: Reached[] = []
  for (const part of parts) {
    reached = reach(reached, part, source.words)
    if (reached.length === 0) return null
  }
  const tried = reached.slice(0, maxTried).map((last) => judge(last, { parts, putInAtEnds }, source))
  return tried.find(({ verdict }) => verdict !== 'altered') ?? tried[0]!
}

/** The places of a part behind places of the part before it: of several, the nearest one before. */
function reach(before: readonly Reached[], { words, gap }: QuotePart, all: readonly string[]): Reached[] {
  const starts = findRuns(all, words)
  if (!gap) return starts.map((start) => ({ start, end: start + words.length, before: null }))
  const most = gap.putIn.length > 0 ? maxReplaced : maxOmitted
  const found: Reached[] = []
  let next = 0
  for (const start of starts) {
    while (next < before.length && before[next]!.end <= start) next++
    const last = before[next - 1]
    if (last && start - last.end <= most) found.push({ start, end: start + words.length, before: last })
  }
  return found
}

function judge(last: Reached, { parts, putInAtEnds }: Quotation, source: QuoteSource): Placement {
  const changed = putInAtEnds.filter((word) => isWeighty(word, source.names))
  let isShortened = false
  let hasInsertions = putInAtEnds.length > 0
  let place = last
  for (const { gap } of parts.toReversed()) {
    if (!gap || !place.before) break
    const left = source.words.slice(place.before.end, place.start)
    place = place.before
    if (left.join(' ') === gap.putIn.join(' ')) continue
    if (gap.putIn.length > 0) hasInsertions = true
    else isShortened = true
    changed.push(...difference(left, gap.putIn, source.names))
  }
  const whole = isShortened ? 'shortened' : 'verbatim'
  const verdict = changed.length > 0 ? 'altered' : hasInsertions ? 'with_insertions' : whole
  return { verdict, changed: [...new Set(changed)], start: place.start, end: last.end }
}

/** The words of weight that only one side has. */
function difference(left: readonly string[], putIn: readonly string[], names: ReadonlySet<string>): string[] {
  const one = left.filter((word) => isWeighty(word, names))
  const other = putIn.filter((word) => isWeighty(word, names))
  return one.join(' ') === other.join(' ') ? [] : [...one, ...other]
}

/** A text to check a quotation against. */
export type QuoteSource = {
  entity_type: string
  entity_id: string
  title: string
  /** By `quoteWords`. */
  readonly words: readonly string[]
  /** Each of them once. */
  readonly vocabulary: ReadonlySet<string>
  /** By `namesIn`. */
  readonly names: ReadonlySet<string>
}

type Named = Pick<QuoteSource, 'entity_type' | 'entity_id' | 'title'>

/** Reads the text when it is first asked for: of many sources of a draft most are never looked at. */
export function createQuoteSource({ entity_type, entity_id, title }: Named, text: string): QuoteSource {
  let words: readonly string[] | null = null
  let vocabulary: ReadonlySet<string> | null = null
  let names: ReadonlySet<string> | null = null
  return {
    entity_type,
    entity_id,
    title,
    get words() {
      words ??= quoteWords(text)
      return words
    },
    get vocabulary() {
      vocabulary ??= new Set(this.words)
      return vocabulary
    },
    get names() {
      names ??= namesIn(text)
      return names
    },
  }
}

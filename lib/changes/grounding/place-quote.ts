import { findRuns } from '../../core/text/words/find-runs.ts'
import type { QuotePart, quoteParts } from '../../core/text/words/quote-words.ts'
import { isWeighty } from '../../core/text/words/weighty-words.ts'
import type { QuoteSource } from './quote-source.ts'

export type Placement = {
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
export function placeQuote({ parts, putInAtEnds }: Quotation, source: QuoteSource): Placement | null {
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

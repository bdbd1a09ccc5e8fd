// Sentences of two passages that are the same but for a value, a name, a negation or a word and its opposite. Word for
// word, so that sentences on two things are not taken for a disagreement on one.

import type { IndexedSentence, LedgerIndex } from './ledger-index.ts'
import { limits } from './thresholds.ts'
import type { Conflict } from './types.ts'
import { isOtherValue } from './values.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Words that two sentences have in the same order, at least, and the share of the shorter one that they are. */
const minShared = 5
const minShare = 0.6
/** Words that may differ in one place. */
const maxSpan = 6
/** Sentences with the same three words in a row that are compared with each other, and words compared of each. */
const maxAlike = 12
const maxWords = 80
const maxPairs = 4000
/** A row of a table is all numbers, of which each is on something else. */
const maxValueShare = 0.4

type Span = { from: number; to: number }

export function sentenceConflicts(index: LedgerIndex, vocabulary: Vocabulary): Conflict[] {
  const conflicts: Conflict[] = []
  const seen = new Set<string>()
  for (const [one, other] of pairsAlike(index.sentences)) {
    const spans = differences(idsOf(one), idsOf(other))
    if (!spans || !isOnOneThing(one, other, index)) continue
    const found = spans
      .map((span) => disagreement(one, other, span, vocabulary))
      .find((values) => values !== null)
    if (!found) continue
    const [a, b] = [index.passages[one.passage]!.n, index.passages[other.passage]!.n]
    const key = `${a} ${b} ${found.join('|')}`
    if (seen.has(key)) continue
    seen.add(key)
    conflicts.push({ a, b, about: one.text.slice(0, 200).toWellFormed(), values: found })
    if (conflicts.length === limits.conflicts) break
  }
  return conflicts
}

/** Three numbers in one; in a text of more different words than this, others may have the same. */
const radix = 2 ** 17

const idsOf = ({ tokens }: IndexedSentence): number[] => tokens.slice(0, maxWords).map(({ word }) => word.id)

/** Pairs of sentences of different passages with three words in a row in common; the ones of most first. */
function pairsAlike(sentences: readonly IndexedSentence[]): [IndexedSentence, IndexedSentence][] {
  const byRun = new Map<number, number[]>()
  const shared = new Map<number, number>()
  for (const [at, sentence] of sentences.entries()) {
    if (!canCompare(sentence)) continue
    const ids = idsOf(sentence)
    for (let from = 0; from + 2 < ids.length; from++) {
      const run = (ids[from]! * radix + ids[from + 1]!) * radix + ids[from + 2]!
      const list = byRun.get(run)
      if (!list) byRun.set(run, [at])
      else if (list.length < maxAlike && list.at(-1) !== at) {
        for (const before of list) {
          if (sentences[before]!.passage === sentence.passage) continue
          const key = before * sentences.length + at
          shared.set(key, (shared.get(key) ?? 0) + 1)
        }
        list.push(at)
      }
    }
  }
  return [...shared]
    .filter(([, count]) => count > 1)
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, maxPairs)
    .map(([key]) => [sentences[Math.floor(key / sentences.length)]!, sentences[key % sentences.length]!])
}

const canCompare = ({ tokens }: IndexedSentence): boolean =>
  tokens.length >= minShared &&
  tokens.filter(({ isValue }) => isValue).length <= maxValueShare * tokens.length

/** Where two sentences differ; `null` where they have too little in common. */
function differences(one: readonly number[], other: readonly number[]): { one: Span; other: Span }[] | null {
  const spans: { one: Span; other: Span }[] = []
  let [at, to] = [0, 0]
  let same = 0
  while (at < one.length && to < other.length) {
    if (one[at] === other[to]) {
      same += 1
      at += 1
      to += 1
      continue
    }
    const skip = nextSame(one, other, { at, to })
    if (!skip) break
    spans.push({ one: { from: at, to: at + skip.at }, other: { from: to, to: to + skip.to } })
    at += skip.at
    to += skip.to
  }
  const share = same / Math.min(one.length, other.length)
  return same >= minShared && share >= minShare ? spans : null
}

/** How many words to leave out on both sides until two in a row are the same again, or the end. */
function nextSame(
  one: readonly number[],
  other: readonly number[],
  { at, to }: { at: number; to: number },
): { at: number; to: number } | null {
  for (let sum = 1; sum <= 2 * maxSpan; sum++) {
    for (let left = Math.max(0, sum - maxSpan); left <= Math.min(sum, maxSpan); left++) {
      const right = sum - left
      const [a, b] = [at + left, to + right]
      if (a === one.length && b === other.length) return { at: left, to: right }
      if (a < one.length && one[a] === other[b] && one[a + 1] === other[b + 1]) return { at: left, to: right }
    }
  }
  return null
}

/** They share a name, or their passages a title: "he was born in 1950" may be said of two people. */
function isOnOneThing(one: IndexedSentence, other: IndexedSentence, index: LedgerIndex): boolean {
  if (
    one.tokens.some(
      ({ isCapital, isValue, word }, at) =>
        isCapital && !isValue && !word.isStop && at > 0 && other.ids.has(word.id),
    )
  )
    return true
  const [a, b] = [index.passages[one.passage]!, index.passages[other.passage]!]
  return [...a.titleIds].some((id) => b.titleIds.has(id))
}

function disagreement(
  one: IndexedSentence,
  other: IndexedSentence,
  spans: { one: Span; other: Span },
  vocabulary: Vocabulary,
): [string, string] | null {
  const [a, b] = [textOf(one, spans.one), textOf(other, spans.other)]
  const values = valuesWithin(one, spans.one).flatMap((value) =>
    valuesWithin(other, spans.other)
      .filter((found) => isOtherValue(value, found))
      .map((found): [string, string] => [value.text, found.text]),
  )[0]
  if (values) return values
  const [left, right] = [
    one.tokens.slice(spans.one.from, spans.one.to),
    other.tokens.slice(spans.other.from, spans.other.to),
  ]
  const opposite = left.some(({ word }) =>
    right.some((found) => vocabulary.opposites(word.id).has(found.word.id)),
  )
  if (opposite) return [a, b]
  if (one.negations % 2 !== other.negations % 2 && left.length + right.length <= 3)
    return [a || '…', b || '…']
  const isName = (tokens: typeof left) =>
    tokens.length > 0 &&
    tokens.every(({ isCapital, word }) => isCapital || word.isStop) &&
    tokens.some(({ isCapital, word, isValue }) => isCapital && !word.isStop && !isValue)
  return isName(left) && isName(right) && spans.one.from > 0 ? [a, b] : null
}

const valuesWithin = ({ values }: IndexedSentence, { from, to }: Span) =>
  values.filter((value) => value.from < to && value.to > from)

const textOf = ({ tokens }: IndexedSentence, { from, to }: Span): string =>
  tokens
    .slice(from, to)
    .map(({ word }) => word.text)
    .join(' ')

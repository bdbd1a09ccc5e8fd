// Sentences of two passages, or a claim and a sentence, that are the same but for a value, a name or a negation. Word for
// word, so that sentences on two things are not taken for a disagreement on one.

import { diffArrays } from 'diff'
import { quoteWords } from '../../../core/text/words/quote-words.ts'
import { isOtherValue } from '../../../core/text/words/values.ts'
import { isReference } from '../rules/sentences.ts'
import type { ReadPassage } from '../verify/passages.ts'
import { readStatement, type Statement, stemOf, wordsOf } from '../verify/statement.ts'
import { limits } from '../verify/types.ts'

/** Two passages that give different values for the same thing. */
export type Conflict = { a: string; b: string; about: string; values: [string, string] }

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

/** Each pair of passages once. A claim is in them as a passage of its own number, with the title of the one it cites. */
export function findConflicts(
  passages: readonly ReadPassage[],
  claims: readonly { n: string; title: string; statement: Statement }[],
): Conflict[] {
  const entries = [
    ...entriesOf(passages),
    ...claims.map(
      ({ n, title, statement }): Entry => ({
        n,
        title,
        words: quoteWords(statement.text),
        statement: () => statement,
      }),
    ),
  ]
  const conflicts = new Map<string, Conflict>()
  for (const { a, b, values } of disagreements(entries)) {
    const key = [a.n, b.n].toSorted().join(' ')
    if (conflicts.has(key)) continue
    const about = a.statement().text.slice(0, 200).toWellFormed()
    conflicts.set(key, { a: a.n, b: b.n, about, values })
    if (conflicts.size === limits.conflicts) break
  }
  return [...conflicts.values()]
}

/** A sentence of a passage, or a claim. */
export type Entry = { n: string; title: string; words: readonly string[]; statement: () => Statement }

export type Span = { from: number; to: number }
type Spans = { one: Span; other: Span }[]

/** Two sentences of different passages that give different values for one thing, and where else they differ. */
export type Disagreement = {
  a: Entry
  b: Entry
  values: [string, string]
  span: Spans[number]
  others: Spans
}

export const entriesOf = (passages: readonly ReadPassage[]): Entry[] =>
  passages.flatMap(({ n, title, wordsOf: words, statement, sentences }) =>
    sentences.flatMap((text, at): Entry[] =>
      words[at]!.length < minShared || isReference(text)
        ? []
        : [{ n, title, words: words[at]!, statement: () => statement(at) }],
    ),
  )

/** The closest pairs of sentences first, each with its first difference. */
export function* disagreements(entries: readonly Entry[]): Generator<Disagreement> {
  for (const [one, other] of pairsAlike(entries)) {
    if (!canCompare(one) || !canCompare(other)) continue
    const spans = differences(formsOf(one), formsOf(other))
    if (!spans || !isOnOneThing(one, other)) continue
    for (const span of spans.filter(isShort)) {
      const values = disagreement(one, other, span)
      if (!values) continue
      yield { a: one, b: other, values, span, others: spans.filter((each) => each !== span) }
      break
    }
  }
}

const formsOf = ({ statement }: Entry): string[] =>
  statement()
    .tokens.slice(0, maxWords)
    .map(({ bare }) => stemOf(bare))

/** Three numbers in one; in a text of more different words than this, others may have the same. */
const radix = 2 ** 17

/** Pairs of sentences of different passages with three words in a row in common; the ones of most first. */
function pairsAlike(entries: readonly Entry[]): [Entry, Entry][] {
  const known = new Map<string, number>()
  const idOf = (word: string) => known.get(word) ?? known.set(word, known.size).get(word)!
  const byRun = new Map<number, number[]>()
  const shared = new Map<number, number>()
  for (const [at, { words, n }] of entries.entries()) {
    const ids = words.slice(0, maxWords).map(idOf)
    for (let from = 0; from + 2 < ids.length; from++) {
      const run = (ids[from]! * radix + ids[from + 1]!) * radix + ids[from + 2]!
      const list = byRun.get(run)
      if (!list) byRun.set(run, [at])
      else if (list.length < maxAlike && list.at(-1) !== at) {
        for (const before of list) {
          if (entries[before]!.n === n) continue
          const key = before * entries.length + at
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
    .map(([key]) => [entries[Math.floor(key / entries.length)]!, entries[key % entries.length]!])
}

const canCompare = ({ statement }: Entry): boolean => {
  const { tokens, text } = statement()
  return (
    !/\?["')\]”’»]*$/.test(text) &&
    tokens.filter(({ isValue }) => isValue).length <= maxValueShare * tokens.length
  )
}

/** Where two sentences differ in a few words; `null` where they have too little in common. */
function differences(one: string[], other: string[]): { one: Span; other: Span }[] | null {
  const spans: { one: Span; other: Span }[] = []
  let [at, to, same] = [0, 0, 0]
  const minSame = Math.max(minShared, minShare * Math.min(one.length, other.length))
  const parts = diffArrays(one, other, { maxEditLength: one.length + other.length - 2 * minSame })
  if (!parts) return null
  for (const [index, { value, added, removed }] of parts.entries()) {
    const next = { at: at + (added ? 0 : value.length), to: to + (removed ? 0 : value.length) }
    if (!added && !removed) same += value.length
    else if (index > 0 && (parts[index - 1]!.added || parts[index - 1]!.removed))
      Object.assign(spans.at(-1)!, {
        one: { ...spans.at(-1)!.one, to: next.at },
        other: { ...spans.at(-1)!.other, to: next.to },
      })
    else spans.push({ one: { from: at, to: next.at }, other: { from: to, to: next.to } })
    at = next.at
    to = next.to
  }
  return same < minSame ? null : spans
}

const isShort = ({ one, other }: Spans[number]): boolean =>
  one.to - one.from <= maxSpan && other.to - other.from <= maxSpan

/**
 * They share a name or a title, or one says the title of the other: "he was born in 1950" may be said of two people.
 */
function isOnOneThing(one: Entry, other: Entry): boolean {
  const has = ({ statement }: Entry, bare: string) => statement().tokens.some((token) => token.bare === bare)
  const names = one
    .statement()
    .tokens.filter(({ isCapital, isContent }, at) => isCapital && isContent && at > 0)
  if ((one.title !== '' && one.title === other.title) || names.some(({ bare }) => has(other, bare)))
    return true
  const isTitled = ({ title }: Entry, by: Entry) => {
    const content = readStatement(title).tokens.filter(({ isContent }) => isContent)
    return content.length > 0 && content.every(({ bare }) => has(by, bare))
  }
  return isTitled(one, other) || isTitled(other, one)
}

function disagreement(one: Entry, other: Entry, spans: { one: Span; other: Span }): [string, string] | null {
  const values = valuesWithin(one, spans.one).flatMap((value) =>
    valuesWithin(other, spans.other)
      .filter((found) => isOtherValue(value, found))
      .map((found): [string, string] => [value.text, found.text]),
  )[0]
  if (values) return values
  const [left, right] = [tokensOf(one, spans.one), tokensOf(other, spans.other)]
  const texts: [string, string] = [textOf(left), textOf(right)]
  const nots = [one, other].map(({ statement }) => wordsOf(statement(), 'not').length % 2)
  if (nots[0] !== nots[1] && left.length + right.length <= 3) return texts
  const isName = (tokens: typeof left) =>
    tokens.some(({ isContent }) => isContent) &&
    tokens.every(({ isCapital, isContent, isValue }) => isCapital || !(isContent || isValue))
  return isName(left) && isName(right) && spans.one.from > 0 ? texts : null
}

export const valuesWithin = ({ statement }: Entry, { from, to }: Span) =>
  statement().values.filter((value) => value.from < to && value.to > from)

const tokensOf = ({ statement }: Entry, { from, to }: Span) => statement().tokens.slice(from, to)
const textOf = (tokens: Statement['tokens']): string => tokens.map(({ word }) => word).join(' ') || '…'

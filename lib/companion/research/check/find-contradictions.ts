// Contradictions between the pages of a Space. Nobody asked one question of them, so that two sentences with another value
// are mostly on two things: both have to be on the same one, and to differ in nothing else that has a value or a name.

import { readPassages } from '../verify/passages.ts'
import { readStatement, type Statement } from '../verify/statement.ts'
import type { Passage } from '../verify/types.ts'
import { type Disagreement, disagreements, entriesOf, type Span, valuesWithin } from './find-conflicts.ts'

export type Contradiction = {
  a: string
  b: string
  /** The sentences that give the values, as their passages have them. */
  sentences: [string, string]
  values: [string, string]
  /** Names that the two passages share, lower-case, and those that both sentences have before the value. */
  shared: string[]
  leading: string[]
  /** Whether the sentences are the same but for the value, and whether they are on what a title names. */
  isExact: boolean
  isTitled: boolean
}

/** Tokens of a sentence; what is longer is a menu or a table that was run together. */
const maxTokens = 60
/** Of a sentence with so many words, the share that may be names: what has more is a menu, too. */
const minMenu = 8
const maxNamed = 0.7
/** What tells that two passages are on one thing. */
const minShared = 3
/** A date so close to the beginning says when, not what. */
const maxLead = 3

const pronoun =
  /^(?:it|he|she|they|this|these|its|his|her|their|er|sie|es|dies|diese|sein|seine|ihr|ihre|il|elle|ils|elles)$/

/** Each pair of passages once, and no pair without one of `changed`. */
export function findContradictions({
  passages,
  changed,
}: {
  passages: readonly Passage[]
  changed: readonly string[]
}): Contradiction[] {
  const read = readPassages(passages)
  const isChanged = new Set(changed)
  const names = new Map<string, ReadonlySet<string>>()
  const namesOf = (n: string) => {
    const known = names.get(n)
    if (known) return known
    const { title, sentences, statement } = read.get(n)!
    const found = new Set([
      ...namesIn(readStatement(title), 0),
      ...sentences.flatMap((_, at) => namesIn(statement(at), 1)),
    ])
    names.set(n, found)
    return found
  }
  const contradictions: Contradiction[] = []
  const compared = new Set<string>()
  for (const found of disagreements(entriesOf([...read.values()]))) {
    const { a, b, values } = found
    const key = [a.n, b.n].toSorted().join(' ')
    // Where the closest sentences of two passages are on two things, so are those that are less close.
    if (compared.has(key) || !(isChanged.has(a.n) || isChanged.has(b.n))) continue
    compared.add(key)
    if (!isPlain(found)) continue
    const [one, other] = [a.statement(), b.statement()]
    const differing = new Set(differingWords(found))
    const shared = [...namesOf(a.n)].filter((name) => namesOf(b.n).has(name) && !differing.has(name))
    contradictions.push({
      ...{ a: a.n, b: b.n, values, sentences: [one.text, other.text], shared },
      leading: leadingNames(found).filter((name) => shared.includes(name)),
      isExact: found.others.every((span) => !says(one, span.one) && !says(other, span.other)),
      isTitled: isTitled(found),
    })
  }
  return contradictions
}

/** `isRare` tells names that few passages of the Space have. */
export function isOnOneThing(
  { shared, leading, isExact, isTitled: titled }: Contradiction,
  isRare: (name: string) => boolean,
): boolean {
  return shared.filter(isRare).length >= minShared || (isExact && (titled || leading.some(isRare)))
}

const namesIn = ({ tokens }: Statement, from: number): string[] =>
  tokens.flatMap(({ isCapital, isContent, bare }, at) => (at >= from && isCapital && isContent ? [bare] : []))

function isPlain({ a, b, span, others }: Disagreement): boolean {
  const [one, other] = [a.statement(), b.statement()]
  if (isMenu(one) || isMenu(other)) return false
  const isLead = span.one.from <= maxLead || span.other.from <= maxLead
  const isDated = [valuesWithin(a, span.one), valuesWithin(b, span.other)].every((values) =>
    values.some(({ kind }) => kind === 'date'),
  )
  if (isLead && isDated) return false
  return !others.some((each) => tells(one, each.one) && tells(other, each.other))
}

function isMenu({ tokens }: Statement): boolean {
  const content = tokens.filter(({ isContent }) => isContent)
  const named = content.filter(({ isCapital }) => isCapital).length
  return tokens.length > maxTokens || (content.length >= minMenu && named > maxNamed * content.length)
}

/** Whether a part of a sentence has a value or a name, and whether it has any word that means something. */
const tells = ({ tokens }: Statement, { from, to }: Span): boolean =>
  tokens.slice(from, to).some(({ isValue, isCapital, isContent }) => isValue || (isCapital && isContent))
const says = ({ tokens }: Statement, { from, to }: Span): boolean =>
  tokens.slice(from, to).some(({ isValue, isContent }) => isValue || isContent)

const differingWords = ({ a, b, span }: Disagreement): string[] =>
  [
    ...a.statement().tokens.slice(span.one.from, span.one.to),
    ...b.statement().tokens.slice(span.other.from, span.other.to),
  ].map(({ bare }) => bare)

/** None where a sentence begins with a pronoun: what it is on stands elsewhere. */
function leadingNames({ a, b, span }: Disagreement): string[] {
  const [one, other] = [a.statement().tokens, b.statement().tokens]
  if ([one, other].some((tokens) => tokens.slice(0, 2).some(({ bare }) => pronoun.test(bare)))) return []
  const before = new Set(other.slice(0, span.other.from).map(({ bare }) => bare))
  return one
    .slice(0, span.one.from)
    .filter(({ isCapital, isContent, bare }) => isCapital && isContent && before.has(bare))
    .map(({ bare }) => bare)
}

/** Both passages have one title, or both sentences the words of one of the titles. */
function isTitled({ a, b }: Disagreement): boolean {
  if (a.title !== '' && a.title === b.title) return true
  const has = (title: string) => {
    const words = readStatement(title).tokens.filter(({ isContent }) => isContent)
    return (
      words.length > 0 &&
      words.every(({ bare }) =>
        [a, b].every((each) => each.statement().tokens.some((token) => token.bare === bare)),
      )
    )
  }
  return has(a.title) || has(b.title)
}

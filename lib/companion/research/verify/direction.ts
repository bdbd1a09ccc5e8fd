// Who does it to whom, and which value is whose: a claim that turns a sentence of its passage around has all its words and says another thing. By
// the order of words around a verb or a comparison, as in English.

import type { ClaimParts } from './claim-parts.ts'
import type { IndexedSentence } from './ledger-index.ts'
import type { Token } from './statement.ts'
import { isOtherValue, isSameValue, type Value } from './values.ts'
import { helpingVerbs } from './words/weights.ts'

/** Words between the verb and what it is said of, at most. */
const reach = 8

/** How the sentence has it, where a claim has it the other way round; else `null`. */
export function reversedIn(claim: ClaimParts, sentence: IndexedSentence): string | null {
  const { tokens } = claim.statement
  const [ends, found] = [fromTo(tokens), fromTo(sentence.tokens)]
  if (ends && found && ends.from !== ends.to && ends.from === found.to && ends.to === found.from)
    return sentence.text.slice(0, 200).toWellFormed()
  const than = tokens.findIndex(({ word }) => word.text === 'than')
  if (than > 0)
    return isReversedComparison(claim, sentence, than) ? sentence.text.slice(0, 200).toWellFormed() : null
  for (let at = 1; at < claim.parts.length - 1; at++) {
    const [before, verb, after] = [claim.parts[at - 1]!, claim.parts[at]!, claim.parts[at + 1]!]
    if (verb.isName || !relates(tokens, verb.at)) continue
    if (after.at - verb.at > reach || verb.at - before.at > reach) continue
    const place = sentence.tokens.findIndex(
      ({ word }, each) => word.id === verb.id && relates(sentence.tokens, each),
    )
    if (place < 0 || isPassive(tokens, verb.at) !== isPassive(sentence.tokens, place)) continue
    const [left, right] = [
      idsOf(sentence.tokens, place - reach, place),
      idsOf(sentence.tokens, place + 1, place + reach),
    ]
    if (left.has(after.id) && right.has(before.id) && !left.has(before.id) && !right.has(after.id))
      return sentence.text.slice(0, 200).toWellFormed()
  }
  return null
}

/** The words behind "from" and "to". */
function fromTo(tokens: readonly Token[]): { from: number; to: number } | null {
  const from = tokens.findIndex(({ word }) => word.text === 'from')
  const to = tokens.findIndex(({ word }, at) => at > from && word.text === 'to')
  const [start, end] = [tokens[from + 1], tokens[to + 1]]
  return from >= 0 && to > from && start && end ? { from: start.word.id, to: end.word.id } : null
}

function isReversedComparison(claim: ClaimParts, sentence: IndexedSentence, than: number): boolean {
  const place = sentence.tokens.findIndex(({ word }) => word.text === 'than')
  if (place < 0) return false
  const compared = claim.parts.filter(({ at }) => at < than).at(-1)
  const one = claim.parts.find(({ at }) => at < than && at !== compared?.at)
  const other = claim.parts.find(({ at }) => at > than)
  if (!compared || !one || !other) return false
  const [left, right] = [idsOf(sentence.tokens, 0, place), idsOf(sentence.tokens, place + 1, place + reach)]
  return (
    left.has(compared.id) &&
    left.has(other.id) &&
    right.has(one.id) &&
    !left.has(one.id) &&
    !right.has(other.id)
  )
}

const idsOf = (tokens: readonly Token[], from: number, to: number): Set<number> =>
  new Set(tokens.slice(Math.max(0, from), to).map(({ word }) => word.id))

/** A verb, or the noun of "the father of". */
const relates = (tokens: readonly Token[], at: number): boolean =>
  isVerb(tokens, at) || (tokens[at + 1]?.word.text === 'of' && tokens[at - 1]?.word.text === 'the')

/** By its ending, or by what stands before it. */
function isVerb(tokens: readonly Token[], at: number): boolean {
  const { word, isCapital } = tokens[at]!
  if (isCapital || at === 0) return false
  const before = tokens[at - 1]!.word.text
  return (
    helpingVerbs.has(before) ||
    before === 'not' ||
    (/[a-z]{3}(?:ed|s)$/.test(word.text) && !articles.has(before))
  )
}

const articles: ReadonlySet<string> = new Set(
  'the a an of in on at by for from with its their his her'.split(' '),
)

const isPassive = (tokens: readonly Token[], at: number): boolean =>
  tokens.slice(at + 1, at + 4).some(({ word }) => word.text === 'by')

/**
 * A value of the claim that the sentence has of something else: "the hall was built in 1885", where "the tower was built in
 * 1885 and the hall in 1902", or "$5 million in 2020", where "it was $5 million in 2019 and $7 million in 2020".
 */
export function misplacedValue(claim: ClaimParts, sentence: IndexedSentence): Value | null {
  const places = claim.values.flatMap((value) => {
    const found = sentence.values.filter((each) => isSameValue(value, each))
    return found.length === 1 ? [found[0]!] : []
  })
  return (
    places.find((place) => isOfAnother(claim, sentence, place)) ??
    places.find((one) =>
      places.some((other) => belongsToOther(one, other, sentence) && belongsToOther(other, one, sentence)),
    ) ??
    null
  )
}

/** A word of the claim comes only behind the value, and has another one as near behind itself. */
function isOfAnother({ parts }: ClaimParts, { tokens, values }: IndexedSentence, place: Value): boolean {
  if (beginsClause(tokens, place.from)) return false
  const others = values.filter((value) => value.from > place.from && isOtherValue(place, value))
  return (
    others.length > 0 &&
    parts.some(({ id, isContent }) => {
      if (!isContent) return false
      const at = tokens.findIndex(({ word }) => word.id === id)
      return at > place.from && others.some(({ from }) => from > at && from - at <= at - place.to + 1)
    })
  )
}

/** "In 1885 the hall was built": what follows is what the value is of. */
const beginsClause = (tokens: readonly Token[], at: number): boolean => {
  const { clause } = tokens[at]!
  return [at - 1, at - 2].some(
    (before) => tokens[before]?.clause !== clause || /^(?:and|but|or)$/.test(tokens[before]!.word.text),
  )
}

/** Another value of its kind is nearer to the other one. */
function belongsToOther(one: Value, other: Value, { values }: IndexedSentence): boolean {
  if (one.kind === other.kind) return false
  const distance = distanceOf(one, other)
  return values.some((value) => isOtherValue(one, value) && distanceOf(value, other) < distance)
}

const distanceOf = (one: Value, other: Value): number => Math.max(one.from - other.to, other.from - one.to)

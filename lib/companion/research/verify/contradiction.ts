// Whether a passage says otherwise: about the same thing, with another value, a negation, or an opposite word. Strict,
// because a passage on a neighbouring thing has other values, too.

import type { ClaimParts } from './claim-parts.ts'
import { negationBetween, oppositesBetween, otherValues } from './differences.ts'
import type { IndexedSentence } from './ledger-index.ts'
import { type Context, matchPassage, shareOf, windowOf } from './match.ts'
import { isSameValue, type Value } from './values.ts'

export type Contradiction = { about: string; values: [string, string] }

/** The share of the claim that the sentence and those beside it have to have. */
const minShare = 0.8

export function contradiction(claim: ClaimParts, at: number, context: Context): Contradiction | null {
  const match = matchPassage(claim, at, context)
  if (
    !match ||
    shareOf(
      claim,
      match.levels,
      claim.values.map(() => 1),
    ) < minShare ||
    !match.hasNames.every(Boolean)
  )
    return null
  if (!saysWhat(claim, match.levels)) return null
  const sentence = context.index.sentences[match.sentence]!
  const written = sentence.text.slice(0, 200).toWellFormed()
  const near = windowOf(match.sentence, context.index)
  for (const { claimed, found } of otherValues(claim, sentence)) {
    const isThere = near.some(({ values }) => values.some((value) => isSameValue(claimed, value)))
    if (!isThere && countsTheSame(claim, claimed, sentence, found))
      return { about: `${found.text}, not ${claimed.text} (${written})`, values: [claimed.text, found.text] }
  }
  const opposite = oppositesBetween(claim, sentence, context.vocabulary)[0]
  if (opposite)
    return {
      about: `${opposite.found}, not ${opposite.claimed} (${written})`,
      values: [opposite.claimed, opposite.found],
    }
  const negation = negationBetween(claim, sentence, context.vocabulary)
  if (!negation) return null
  const values: [string, string] = negation === 'claim' ? ['not so', 'so'] : ['so', 'not so']
  return { about: `${negation === 'passage' ? 'it has' : 'it lacks'} a negation (${written})`, values }
}

/** The sentence itself has most of what is said of the names: their other dates are of other events. */
function saysWhat({ parts }: ClaimParts, levels: readonly number[]): boolean {
  const said = parts.flatMap(({ isContent, isName }, at) => (isContent && !isName ? [levels[at]!] : []))
  return said.filter((level) => level === 1).length >= minSaid * said.length
}

const minSaid = 0.7

/** A number without a unit counts the word beside it: "four albums", "albums: two". */
function countsTheSame(claim: ClaimParts, claimed: Value, sentence: IndexedSentence, found: Value): boolean {
  if (claimed.kind !== 'number' || claimed.unit !== '') return true
  const counted = beside(claim.statement.tokens, claimed)
  if (counted.size === 0) return true
  return [...beside(sentence.tokens, found)].some((id) => counted.has(id))
}

const reach = 3

function beside(tokens: ClaimParts['statement']['tokens'], { from, to }: Value): Set<number> {
  return new Set(
    [...tokens.slice(Math.max(0, from - reach), from), ...tokens.slice(to, to + reach)]
      .filter(({ word, isValue }) => !word.isStop && !isValue)
      .map(({ word }) => word.id),
  )
}

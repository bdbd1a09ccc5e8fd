// What a claim and a sentence say differently: negations, opposite words, and values.

import type { ClaimParts } from './claim-parts.ts'
import type { IndexedSentence } from './ledger-index.ts'
import { isOtherValue, isSameValue, type Value } from './values.ts'
import type { Vocabulary } from './vocabulary.ts'

/** A negation that only one of a claim and a sentence has, over the words that both have; "not allowed" is "banned". */
export function negationBetween(
  claim: ClaimParts,
  sentence: IndexedSentence,
  vocabulary: Vocabulary,
): 'claim' | 'passage' | null {
  if (oppositePairs(claim, sentence, vocabulary).some(({ isOfOneMind }) => isOfOneMind)) return null
  if (claim.statement.negations > 0 && sentence.negations === 0) return 'claim'
  const negated = negatedIn(sentence)
  const shared = claim.parts.filter(({ id, isName }) => !isName && negated.has(id))
  const differing = shared.filter(({ id, isNegated }) => negated.get(id) !== isNegated)
  if (differing.length === 0 || differing.length * 2 < shared.length) return null
  return differing[0]!.isNegated ? 'claim' : 'passage'
}

/** Of each word whether it is negated wherever it is. */
function negatedIn({ tokens }: IndexedSentence): Map<number, boolean> {
  const negated = new Map<number, boolean>()
  for (const { word, isNegated } of tokens) negated.set(word.id, (negated.get(word.id) ?? true) && isNegated)
  return negated
}

type Opposites = { claimed: string; found: string }

/** Words of the claim that a sentence lacks, and their opposites that it has. */
export const oppositesBetween = (
  claim: ClaimParts,
  sentence: IndexedSentence,
  vocabulary: Vocabulary,
): Opposites[] => oppositePairs(claim, sentence, vocabulary).filter(({ isOfOneMind }) => !isOfOneMind)

function oppositePairs(
  claim: ClaimParts,
  sentence: IndexedSentence,
  vocabulary: Vocabulary,
): (Opposites & { isOfOneMind: boolean })[] {
  const claimed = new Set(claim.statement.tokens.map(({ word }) => word.id))
  // "more", "before" and their like are small words, and no parts of a claim.
  return claim.statement.tokens.flatMap(({ word: { id, text }, isNegated, isValue }) => {
    const opposites = vocabulary.opposites(id)
    if (isValue || opposites.size === 0 || sentence.ids.has(id)) return []
    const found = sentence.tokens.find(({ word }) => opposites.has(word.id) && !claimed.has(word.id))
    return found
      ? [{ claimed: text, found: found.word.text, isOfOneMind: isNegated !== found.isNegated }]
      : []
  })
}

/** Values of the claim that a sentence lacks, and values of the same kind that it has. */
export const otherValues = (
  claim: ClaimParts,
  sentence: IndexedSentence,
): { claimed: Value; found: Value }[] =>
  claim.values.flatMap((claimed) => {
    if (sentence.values.some((value) => isSameValue(claimed, value))) return []
    const found = sentence.values.find((value) => isOtherValue(claimed, value))
    return found ? [{ claimed, found }] : []
  })

// How a passage bears on a claim: by its best sentence, those beside it, and the rest of it.

import type { ClaimName, ClaimParts } from './claim-parts.ts'
import type { IndexedPassage, IndexedSentence, LedgerIndex } from './ledger-index.ts'
import { isOtherValue, isSameValue, type Value } from './values.ts'
import type { Vocabulary } from './vocabulary.ts'

export type Context = { index: LedgerIndex; vocabulary: Vocabulary }

export type Match = {
  passage: number
  /** The sentence that has most of the claim, among those of the ledger. */
  sentence: number
  /** For each part of the claim how close it is, from 0 to 1. */
  levels: readonly number[]
  /** The same for each value of the claim. */
  valueLevels: readonly number[]
  hasNames: readonly boolean[]
  /** The share of the claim that the passage has, by weight and closeness. */
  share: number
}

/** How much a word counts that is not in the best sentence. */
const levels = { beside: 0.95, nameInPassage: 0.9, inPassage: 0.6 }
/** Words of the claim that a sentence has to have for its numbers to be about the claim. */
const minSharedParts = 2

export function matchPassage(claim: ClaimParts, at: number, { index }: Context): Match | null {
  const passage = index.passages[at]!
  const best = bestSentence(claim, passage, index)
  if (best === null) return null
  const one = index.sentences[best]!
  const near = windowOf(best, index)
  const found = claim.parts.map(({ id, isName }) => {
    if (one.ids.has(id)) return 1
    if (near.some(({ ids }) => ids.has(id))) return levels.beside
    if (isName && passage.titleIds.has(id)) return levels.nameInPassage
    return passage.ids.has(id) ? (isName ? levels.nameInPassage : levels.inPassage) : 0
  })
  const valueLevels = claim.values.map((value) => {
    const has = ({ values }: IndexedSentence) => values.some((each) => isSameValue(value, each))
    if (has(one)) return 1
    if (near.some(has)) return levels.beside
    for (let other = passage.from; other < passage.to; other++) {
      const sentence = index.sentences[other]!
      if (has(sentence) && countShared(claim, sentence) >= minSharedParts) return levels.inPassage
    }
    return 0
  })
  return {
    ...{ passage: at, sentence: best, levels: found, valueLevels },
    hasNames: claim.names.map((name) => holdsName(passage, name)),
    share: shareOf(claim, found),
  }
}

export const shareOf = (claim: ClaimParts, levels: readonly number[]): number =>
  claim.weight === 0
    ? 0
    : claim.parts.reduce((sum, { weight }, at) => sum + weight * levels[at]!, 0) / claim.weight

/** A sentence and those beside it in its passage. */
export function windowOf(at: number, { sentences }: LedgerIndex): IndexedSentence[] {
  const one = sentences[at]!
  return [sentences[at - 1], one, sentences[at + 1]].filter(
    (sentence): sentence is IndexedSentence => sentence?.passage === one.passage,
  )
}

const countShared = ({ parts }: ClaimParts, { ids }: IndexedSentence): number =>
  parts.filter(({ id }) => ids.has(id)).length

/** All its words, or its first letters, or for first letters the name. */
const holdsName = (passage: IndexedPassage, { ids, initials, isAcronym, text }: ClaimName): boolean =>
  ids.every((id) => passage.ids.has(id) || passage.titleIds.has(id)) ||
  (initials.length > 1 && passage.acronyms.has(initials)) ||
  (isAcronym && passage.nameInitials.has(text))

function bestSentence(claim: ClaimParts, passage: IndexedPassage, index: LedgerIndex): number | null {
  let best: { at: number; score: number } | null = null
  for (let at = passage.from; at < passage.to; at++) {
    const { ids, values } = index.sentences[at]!
    let score = 0
    for (const part of claim.parts) if (ids.has(part.id)) score += part.weight
    for (const value of claim.values) if (values.some((found) => isSameValue(value, found))) score += 1
    if (score > 0 && (best === null || score > best.score)) best = { at, score }
  }
  return best?.at ?? null
}

/** A negation that only one of a claim and a sentence has, over the words that both have. */
export function negationBetween(claim: ClaimParts, sentence: IndexedSentence): 'claim' | 'passage' | null {
  const negated = new Map<number, boolean>()
  for (const { word, isNegated } of sentence.tokens)
    negated.set(word.id, (negated.get(word.id) ?? true) && isNegated)
  const shared = claim.parts.filter(({ id, isName }) => !isName && negated.has(id))
  if (shared.length === 0) return claim.statement.negations > 0 && sentence.negations === 0 ? 'claim' : null
  const differing = shared.filter(({ id, isNegated }) => negated.get(id) !== isNegated)
  if (differing.length === 0 || differing.length * 2 < shared.length) return null
  return differing[0]!.isNegated ? 'claim' : 'passage'
}

/** Words of the claim that a sentence lacks, and their opposites that it has. */
export function oppositesBetween(
  claim: ClaimParts,
  sentence: IndexedSentence,
  vocabulary: Vocabulary,
): { claimed: string; found: string }[] {
  return claim.parts.flatMap(({ id, text }) => {
    if (sentence.ids.has(id)) return []
    const opposites = vocabulary.opposites(id)
    const found = sentence.tokens.find(({ word }) => opposites.has(word.id))
    return found ? [{ claimed: text, found: found.word.text }] : []
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

// How a passage bears on a claim: by its best sentence, those beside it, and the rest of it.

import { type ClaimName, type ClaimParts, weights } from './claim-parts.ts'
import { hasWord, type IndexedPassage, type IndexedSentence, type LedgerIndex } from './ledger-index.ts'
import { isSameValue, type Value } from './values.ts'
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
const levels = { beside: 0.95, nameInPassage: 0.9, inPassage: 0.35, root: 0.8 }
/** Words of the claim that a sentence has to have for its numbers to be about the claim. */
const minSharedParts = 2

export function matchPassage(claim: ClaimParts, at: number, { index }: Context): Match | null {
  const passage = index.passages[at]!
  const best = bestSentence(claim, passage, index)
  if (best === null) return null
  const one = index.sentences[best]!
  const near = windowOf(best, index)
  const initialled = new Set(
    claim.names.filter((name) => holdsInitials(passage, name)).flatMap(({ ids }) => ids),
  )
  const found = claim.parts.map(({ id, root, isName }) => {
    if (one.ids.has(id)) return 1
    if (near.some(({ ids }) => ids.has(id))) return levels.beside
    if (!isName && root >= 0 && near.some(({ tokens }) => tokens.some(({ word }) => word.root === root)))
      return levels.root
    if (isName && (passage.titleIds.has(id) || initialled.has(id))) return levels.nameInPassage
    return hasWord(index, passage, id) ? (isName ? levels.nameInPassage : levels.inPassage) : 0
  })
  const valueLevels = claim.values.map((value) => {
    const has = ({ values }: IndexedSentence) => values.some((each) => isSameValue(value, each))
    if (has(one)) return 1
    if (near.some(has)) return levels.beside
    const whole = index.sentences.slice(passage.from, passage.to)
    const isElsewhere = whole.some(
      (sentence) => has(sentence) && (isDateline(sentence) || countShared(claim, sentence) >= minSharedParts),
    )
    return isElsewhere || isDatedInParts(value, near, whole) ? levels.inPassage : 0
  })
  return {
    passage: at,
    sentence: best,
    levels: found,
    valueLevels,
    hasNames: claim.names.map((name) => holdsName(passage, name, index)),
    share: shareOf(claim, found, valueLevels),
  }
}

export function shareOf(
  claim: ClaimParts,
  levels: readonly number[],
  valueLevels: readonly number[],
): number {
  if (claim.weight === 0) return 0
  const words = claim.parts.reduce((sum, { weight }, at) => sum + weight * levels[at]!, 0)
  return (words + weights.value * valueLevels.reduce((sum, level) => sum + level, 0)) / claim.weight
}

/** A sentence and those beside it in its passage. */
export function windowOf(at: number, { sentences }: LedgerIndex): IndexedSentence[] {
  const one = sentences[at]!
  return [sentences[at - 1], one, sentences[at + 1]].filter(
    (sentence): sentence is IndexedSentence => sentence?.passage === one.passage && !sentence.isQuestion,
  )
}

/** A line that is little more than a date says when the whole passage was written. */
const isDateline = ({ tokens, values }: IndexedSentence): boolean =>
  tokens.length <= 8 && values.some(({ kind, amount, day }) => kind === 'date' && amount > 0 && day > 0)

/** The day in the sentence or beside it, and its year elsewhere. */
function isDatedInParts(
  value: Value,
  near: readonly IndexedSentence[],
  whole: readonly IndexedSentence[],
): boolean {
  if (value.kind !== 'date' || value.amount === 0 || value.month === 0) return false
  const isDay = (found: Value) => found.amount === 0 && isSameValue({ ...value, amount: 0 }, found)
  const isYear = (found: Value) => found.kind === 'date' && found.amount === value.amount
  return near.some(({ values }) => values.some(isDay)) && whole.some(({ values }) => values.some(isYear))
}

const countShared = ({ parts }: ClaimParts, { ids }: IndexedSentence): number =>
  parts.filter(({ id }) => ids.has(id)).length

/** All its words, or its first letters, or for first letters the name; or its last word, and none before it that differs. */
const holdsName = (passage: IndexedPassage, name: ClaimName, index: LedgerIndex): boolean =>
  name.ids.every((id) => passage.titleIds.has(id)) ||
  holdsTogether(passage, name, index) ||
  holdsInitials(passage, name) ||
  (name.ids.length > 1 && holdsEnding(passage, name, index))

const holdsInitials = (passage: IndexedPassage, { initials, isAcronym, text }: ClaimName): boolean =>
  (initials.length > 1 && passage.acronyms().has(initials)) || (isAcronym && passage.nameInitials().has(text))

/** All its words beside each other, with no more than a few between them: "John F. Kennedy" for "John Kennedy". */
function holdsTogether(
  passage: IndexedPassage,
  { ids }: ClaimName,
  { places, sentences }: LedgerIndex,
): boolean {
  const reach = ids.length + maxBetween
  return (places.get(ids.at(-1)!) ?? []).some((at) => {
    if (at < passage.from || at >= passage.to) return false
    const { tokens, ids: own } = sentences[at]!
    if (!ids.every((id) => own.has(id))) return false
    return (
      ids.length === 1 ||
      tokens.some(({ word }, end) => {
        if (word.id !== ids.at(-1)) return false
        const near = tokens.slice(Math.max(0, end - reach + 1), end + reach)
        return ids.every((id) => near.some((token) => token.word.id === id))
      })
    )
  })
}

const maxBetween = 2

/**
 * "Obama" for "Barack Obama", unless it is somebody else's name there: "Michelle Obama". Of a longer name two words may
 * stand for it, whoever else is there: "Supreme Court" for "United States Supreme Court".
 */
function holdsEnding(
  passage: IndexedPassage,
  { ids }: ClaimName,
  { places, sentences }: LedgerIndex,
): boolean {
  const last = ids.at(-1)!
  const lengths: number[] = []
  for (const at of places.get(last) ?? []) {
    if (at < passage.from || at >= passage.to) continue
    const { tokens } = sentences[at]!
    for (const [end, { word, isCapital }] of tokens.entries())
      if (word.id === last) lengths.push(isCapital ? ownLength(tokens, end, ids) : 0)
  }
  return (
    lengths.some((length) => length > 1) || (lengths.length > 0 && lengths.every((length) => length === 1))
  )
}

/** How many words up to `end` are of the name; 0 where another word of a name precedes them. */
function ownLength(tokens: IndexedSentence['tokens'], end: number, ids: readonly number[]): number {
  let length = 1
  for (let at = end - 1; tokens[at]?.isCapital && tokens[at]!.clause === tokens[end]!.clause; at--) {
    const { word } = tokens[at]!
    if (ids.includes(word.id)) length += 1
    else if (!word.isTitle && !word.isStop) return 0
  }
  return length
}

function bestSentence(claim: ClaimParts, passage: IndexedPassage, index: LedgerIndex): number | null {
  let best: { at: number; score: number } | null = null
  for (let at = passage.from; at < passage.to; at++) {
    const { ids, values, isQuestion } = index.sentences[at]!
    if (isQuestion) continue
    let score = 0
    for (const part of claim.parts) if (ids.has(part.id)) score += part.weight
    for (const value of claim.values) if (values.some((found) => isSameValue(value, found))) score += 1
    if (score > 0 && (best === null || score > best.score)) best = { at, score }
  }
  return best?.at ?? null
}

// Whether some passages together support a claim, and what they lack.

import type { ClaimParts } from './claim-parts.ts'
import { negationBetween, oppositesBetween, otherValues } from './differences.ts'
import { misplacedValue, reversedIn } from './direction.ts'
import { type Context, type Match, matchPassage, shareOf, windowOf } from './match.ts'
import { doubtingWords } from './words/weights.ts'

export type Assessment = {
  level: 'full' | 'part' | 'none'
  score: number
  reasons: string[]
  /** The passages that it rests on, the best first. */
  passages: number[]
  best: Match | null
}

/** Shares of the claim that its passages must have. */
const support = { full: 0.57, part: 0.4 }
/** What a claim says of its subject stands at its end: off where its last word is not found. */
const withoutLast = 0.1
/** What a word of another passage than the best one counts. */
const otherPassage = 0.95
const maxPassages = 3

export function assess(claim: ClaimParts, passages: readonly number[], context: Context): Assessment {
  const matches = passages
    .flatMap((at) => matchPassage(claim, at, context) ?? [])
    .toSorted((a, b) => b.share - a.share || a.passage - b.passage)
  const best = matches[0]
  if (!best) return { level: 'none', score: 0, reasons: [], passages: [], best: null }

  const used = [best]
  let levels = best.levels
  const valueLevels = claim.values.map((_, at) => Math.max(...matches.map((match) => match.valueLevels[at]!)))
  for (const match of matches.slice(1)) {
    if (used.length === maxPassages) break
    const joined = levels.map((level, at) => Math.max(level, otherPassage * match.levels[at]!))
    if (shareOf(claim, joined, valueLevels) < shareOf(claim, levels, valueLevels) + minGain) continue
    levels = joined
    used.push(match)
  }
  const score = shareOf(claim, levels, valueLevels) - (lacksLast(claim, levels) ? withoutLast : 0)
  const reasons = failures(claim, { matches, levels, valueLevels, best }, context)
  const level =
    score >= support.full && reasons.length === 0 ? 'full' : score >= support.part ? 'part' : 'none'
  return { level, score, reasons, passages: used.map(({ passage }) => passage), best }
}

function doubtNear({ sentence }: Match, { parts }: ClaimParts, index: Context['index']): string | undefined {
  const said = new Set(parts.map(({ text }) => text))
  return windowOf(sentence, index)
    .flatMap(({ tokens }) => tokens)
    .find(({ word }) => doubtingWords.has(word.text) && !said.has(word.text))?.word.text
}

/** Of words that say something. Words of the same beginning count as found. */
const lacksLast = ({ parts }: ClaimParts, levels: readonly number[]): boolean => {
  const last = parts.findLastIndex(({ isContent }) => isContent)
  return last >= 0 && levels[last]! < found
}

/** A word at this level is in the sentence or beside it, if only by its beginning. */
const found = 0.8
/** Of so few words none may be missing. */
const fewParts = 2
const minGain = 0.05

type Found = {
  matches: readonly Match[]
  levels: readonly number[]
  valueLevels: readonly number[]
  best: Match
}

/** What makes a claim fail however much of it is there. */
function failures(
  claim: ClaimParts,
  { matches, levels, valueLevels, best }: Found,
  { index, vocabulary }: Context,
): string[] {
  const sentence = index.sentences[best.sentence]!
  const near = windowOf(best.sentence, index).flatMap(({ values }) => values)
  const reasons: string[] = []
  for (const [at, name] of claim.names.entries())
    if (!matches.some(({ hasNames }) => hasNames[at])) reasons.push(`name not found: ${name.text}`)
  for (const [at, value] of claim.values.entries()) {
    if (valueLevels[at]! > 0) continue
    const other =
      otherValues(claim, sentence).find(({ claimed }) => claimed === value)?.found ??
      near.find(({ kind, amount }) => kind === value.kind && amount === value.amount)
    reasons.push(`${value.kind} not found: ${value.text}${other ? ` (the passage has ${other.text})` : ''}`)
  }
  const negation = negationBetween(claim, sentence, vocabulary)
  if (negation === 'claim') reasons.push('the claim has a negation that the passage does not have')
  if (negation === 'passage') reasons.push('the passage has a negation that the claim does not have')
  for (const { claimed, found } of oppositesBetween(claim, sentence, vocabulary))
    reasons.push(`opposite: the claim says ${claimed}, the passage says ${found}`)
  const content = claim.parts.flatMap(({ isContent, text }, at) =>
    isContent ? [{ text, level: levels[at]! }] : [],
  )
  if (content.length <= fewParts)
    for (const { text, level } of content) if (level < found) reasons.push(`not in the passage: ${text}`)
  const doubt = doubtNear(best, claim, index)
  if (doubt) reasons.push(`the passage doubts it: ${doubt}`)
  const misplaced = misplacedValue(claim, sentence)
  if (misplaced) reasons.push(`the passage has ${misplaced.text} of something else`)
  const turned = reversedIn(claim, sentence)
  if (turned) reasons.push(`the passage has it the other way round: ${turned}`)
  for (const [at, { isDecisive, text }] of claim.parts.entries())
    if (isDecisive && levels[at]! < 0.9) reasons.push(`not in the passage: ${text}`)
  return reasons
}

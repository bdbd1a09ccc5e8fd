// The verdict on one claim: what its cited passages have of it, else whether others have, and which say otherwise.

import { type Assessment, assess } from './assess.ts'
import type { ClaimParts } from './claim-parts.ts'
import { type Contradiction, contradiction } from './contradiction.ts'
import { failedQuotes, isVerbatim } from './failed-quotes.ts'
import { hasWord, type IndexedPassage, type LedgerIndex } from './ledger-index.ts'
import type { Context } from './match.ts'
import { limits } from './thresholds.ts'
import type { Claim, ClaimVerdict, Conflict, Verdict } from './types.ts'

export type Judged = {
  claim: Claim
  /** `null` for a claim that was not read. */
  parts: ClaimParts | null
  verdict: ClaimVerdict
  /** Passages that support it against passages that say otherwise. */
  conflicts: Conflict[]
}

export const uncheckedClaim = (claim: Claim, reason: string): Judged => ({
  claim,
  parts: null,
  conflicts: [],
  verdict: {
    id: claim.id,
    verdict: 'unchecked',
    cites: claim.cites,
    reasons: [reason],
    score: 0,
    against: [],
  },
})

/** Passages beside the cited ones that are looked at, the most promising first. */
const maxOthers = 8
const maxRepaired = 2

export function judgeClaim(claim: Claim, parts: ClaimParts, context: Context): Judged {
  const { index } = context
  const cited = [...new Set(claim.cites)].flatMap((n) => index.byNumber.get(n) ?? [])
  const candidates = likelyPassages(parts, context)
  if (parts.parts.length === 0 && parts.values.length === 0)
    return uncheckedClaim(claim, 'the claim has no words to check')
  if (isOtherLanguage(parts, [...new Set([...cited, ...candidates])], context))
    return uncheckedClaim(claim, 'the claim and its passages seem to be in different languages')

  if (isUnspaced(parts) && !isVerbatim(claim.text, cited, context))
    return uncheckedClaim(claim, 'a script without spaces is checked word for word only')

  const found = assess(parts, cited, context)
  const quotes = failedQuotes(claim.text, cited, context)
  const isSupported = found.level === 'full' && quotes.length === 0
  const others = candidates.filter((at) => !cited.includes(at))
  const elsewhere = isSupported ? [] : others.filter((at) => supports(claim, parts, at, context))
  const supporting = isSupported ? found.passages : elsewhere
  const contradictions = [...cited, ...others].flatMap((at): Opposed[] => {
    const said = supporting.includes(at) ? null : contradiction(parts, at, context)
    return said ? [{ ...said, n: index.passages[at]!.n }] : []
  })
  const failed = isSupported ? [] : [...quotes, ...found.reasons, ...missingWords(parts, found, claim)]
  return outcome(claim, parts, {
    found,
    isSupported,
    contradictions,
    supporting: supporting.map((at) => index.passages[at]!.n),
    reasons: [...unknownPassages(claim, context), ...failed],
  })
}

type Opposed = Contradiction & { n: string }

type Findings = {
  found: Assessment
  isSupported: boolean
  /** The numbers of the passages that support it, cited or not. */
  supporting: readonly string[]
  contradictions: readonly Opposed[]
  reasons: readonly string[]
}

function outcome(claim: Claim, parts: ClaimParts, findings: Findings): Judged {
  const { found, isSupported, supporting, contradictions } = findings
  const against = contradictions.map(({ n }) => n)
  const about = claim.text.slice(0, 200).toWellFormed()
  const reasons = [
    ...findings.reasons,
    ...contradictions.map(({ n, about: said }) => `passage ${n} says otherwise: ${said}`),
  ]
  return {
    claim,
    parts,
    verdict: {
      id: claim.id,
      verdict: verdictOf(findings),
      cites: isSupported || supporting.length === 0 ? claim.cites : supporting.slice(0, maxRepaired),
      reasons: [...new Set(reasons)].slice(0, limits.reasons),
      score: Math.round(found.score * 100) / 100,
      against,
    },
    conflicts: supporting
      .slice(0, 1)
      .flatMap((a) => contradictions.map(({ n: b, values }): Conflict => ({ a, b, about, values }))),
  }
}

function verdictOf({ found, isSupported, supporting, contradictions }: Findings): Verdict {
  if (supporting.length === 0)
    return found.level !== 'none' && contradictions.length === 0 ? 'partly' : 'nowhere'
  if (contradictions.length > 0) return 'disputed'
  return isSupported ? 'supported' : 'elsewhere'
}

const supports = (claim: Claim, parts: ClaimParts, at: number, context: Context): boolean =>
  assess(parts, [at], context).level === 'full' && failedQuotes(claim.text, [at], context).length === 0

const unknownPassages = ({ cites }: Claim, { index }: Context): string[] =>
  cites.filter((n) => !index.byNumber.has(n)).map((n) => `there is no passage ${n.slice(0, 20)}`)

function missingWords(parts: ClaimParts, { best }: Assessment, { cites }: Claim): string[] {
  if (cites.length === 0) return ['no passage is cited']
  if (!best) return ['none of its words is in the cited passages']
  const words = parts.parts.filter((_, at) => best.levels[at] === 0).map(({ text }) => text)
  return words.length === 0 ? [] : [`not in the cited passages: ${words.slice(0, 12).join(', ')}`]
}

/** Passages with a sentence that has much of the claim, by its weight. */
function likelyPassages({ parts }: ClaimParts, { index }: Context): number[] {
  const scores = new Float64Array(index.sentences.length)
  for (const { id, weight } of parts) for (const at of index.places.get(id) ?? []) scores[at]! += weight
  const best = index.passages.map(({ from, to }, at) => {
    let score = 0
    for (let sentence = from; sentence < to; sentence++) score = Math.max(score, scores[sentence]!)
    return { at, score }
  })
  return best
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || a.at - b.at)
    .slice(0, maxOthers)
    .map(({ at }) => at)
}

/** The small words of a language are in every passage of it. */
const minSmallWords = 3
const minPassageWords = 60
const minSmallShare = 0.34

function isOtherLanguage(
  { statement, parts }: ClaimParts,
  passages: readonly number[],
  { index }: Context,
): boolean {
  const small = new Set(statement.tokens.filter(({ word }) => word.isStop).map(({ word }) => word.id))
  const read = passages
    .map((at) => index.passages[at]!)
    .filter((passage) => countWords(passage, index) >= minPassageWords)
  if (small.size < minSmallWords || read.length === 0) return false
  const known = [...small].filter((id) => read.some((passage) => hasWord(index, passage, id)))
  const found = parts.filter(({ id }) => read.some((passage) => hasWord(index, passage, id)))
  return known.length < minSmallShare * small.size && found.length * 2 < parts.length
}

/** Its words are characters, and characters in another order are other words. */
const isUnspaced = ({ statement: { tokens } }: ClaimParts): boolean =>
  tokens.filter(({ word }) => unspaced.test(word.text)).length * 2 > tokens.length

const unspaced = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]$/u

const countWords = ({ from, to }: IndexedPassage, { sentences }: LedgerIndex): number =>
  sentences.slice(from, to).reduce((sum, { tokens }) => sum + tokens.length, 0)

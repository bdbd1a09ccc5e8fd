import type { Verdict } from '../../../../lib/companion/research/verify/types.ts'
import { verify } from '../../../../lib/companion/research/verify/verify.ts'
import type { LabelledClaim, LabelledDocuments } from './labelled-claims.ts'

export type JudgedClaim = LabelledClaim & { verdict: Verdict; score: number; reasons: string[] }

/** Each claim with its own passages as the ledger, all of them cited. */
export const judgeClaims = (claims: readonly LabelledClaim[]): JudgedClaim[] =>
  claims.map((labelled) => {
    const { claim, passages } = labelled
    const { claims: verdicts } = verify(
      [{ id: '1', text: claim, cites: passages.map(({ n }) => n) }],
      passages,
    )
    const { verdict, score, reasons } = verdicts[0]!
    return { ...labelled, verdict, score, reasons }
  })

export type Rates = {
  claims: number
  /** Share of the supported claims that are found to be. */
  recall: number
  /** Share of the claims that are refuted or not supported that are found to be supported. */
  falseSupported: number
  balancedAccuracy: number
  /** Of "supported" among those that are supported, refuted or not supported. */
  f1: number
}

/** Claims that are partly supported are neither right nor wrong here. */
export function ratesOf(judged: readonly JudgedClaim[]): Rates {
  const isFound = ({ verdict }: JudgedClaim) => verdict === 'supported'
  const supported = judged.filter(({ label }) => label === 'supported')
  const others = judged.filter(({ label }) => label === 'not_supported' || label === 'refuted')
  const [found, wrong] = [supported.filter(isFound).length, others.filter(isFound).length]
  const recall = share(found, supported.length)
  const falseSupported = share(wrong, others.length)
  return {
    ...{ claims: supported.length + others.length, recall, falseSupported },
    balancedAccuracy: (recall + 1 - falseSupported) / 2,
    f1: share(2 * found, found + wrong + supported.length),
  }
}

export type ConflictRates = {
  questions: number
  conflicting: number
  found: number
  right: number
  precision: number
  recall: number
}

export type JudgedConflict = {
  question: string
  a: string | null
  b: string | null
  values: [string, string]
  about: string
}

/**
 * Documents as the ledger, and as claims the question with each answer that is given. A conflict is right where its two
 * documents give different answers.
 */
export const judgeConflicts = ({ question, answers, documents }: LabelledDocuments): JudgedConflict[] => {
  const cites = documents.map(({ passage }) => passage.n)
  const claims = answers.map((answer, at) => ({
    id: String(at),
    text: `${question.replace(/\?\s*$/, '')}: ${answer}`,
    cites,
  }))
  const answerOf = (n: string) => documents.find(({ passage }) => passage.n === n)!.answer
  const { conflicts } = verify(
    claims,
    documents.map(({ passage }) => passage),
  )
  return conflicts.map(({ a, b, values, about }) => ({
    question,
    a: answerOf(a),
    b: answerOf(b),
    values,
    about,
  }))
}

const isRight = ({ a, b }: { a: string | null; b: string | null }) =>
  a !== null && b !== null && a.toLowerCase() !== b.toLowerCase()

export function conflictRates(
  all: readonly { labelled: LabelledDocuments; conflicts: readonly JudgedConflict[] }[],
): ConflictRates {
  const conflicts = all.flatMap((one) => one.conflicts)
  const right = conflicts.filter(isRight).length
  const conflicting = all.filter(({ labelled: { documents } }) =>
    documents.some((one) => documents.some((other) => isRight({ a: one.answer, b: other.answer }))),
  )
  const found = conflicting.filter((one) => one.conflicts.some(isRight)).length
  return {
    ...{ questions: all.length, conflicting: conflicting.length, found: conflicts.length, right },
    ...{ precision: share(right, conflicts.length), recall: share(found, conflicting.length) },
  }
}

const share = (part: number, whole: number) => (whole === 0 ? 0 : part / whole)

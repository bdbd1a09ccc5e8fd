import { verifyClaims } from '../../../../lib/companion/research/check/verify-claims.ts'
import type { LabelledDocuments } from './labelled-claims.ts'

export type ConflictRates = {
  questions: number
  conflicting: number
  found: number
  right: number
  precision: number
  recall: number
}

export type JudgedConflict = { a: string | null; b: string | null }

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
  const { conflicts } = verifyClaims({ claims, ledger: documents.map(({ passage }) => passage) })
  return conflicts.map(({ a, b }) => ({ a: answerOf(a), b: answerOf(b) }))
}

const isRight = ({ a, b }: JudgedConflict) => a !== null && b !== null && a.toLowerCase() !== b.toLowerCase()

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

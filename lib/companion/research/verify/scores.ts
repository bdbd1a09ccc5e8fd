import type { Judged } from './judge-claim.ts'
import { hasWord } from './ledger-index.ts'
import type { Context } from './match.ts'
import { holdsTriple, triplesOf } from './relations.ts'
import type { Thresholds } from './thresholds.ts'
import type { Claim, Conflict, Scores, Verdict } from './types.ts'
import { isSameValue } from './values.ts'

/** What each verdict counts for the citation score. `elsewhere` is repaired with the numbers that it gives. */
const credit: Record<Verdict, number> = {
  supported: 1,
  elsewhere: 1,
  partly: 0.5,
  disputed: 0,
  nowhere: 0,
  unchecked: 0,
}

/** Of no claims all shares are 0: an answer that says nothing has not passed. */
export function scoresOf(
  judged: readonly Judged[],
  conflicts: readonly Conflict[],
  context: Context,
): Scores {
  if (judged.length === 0) return { citation: 0, entities: 0, relations: 0, contradictions: 0 }
  const citation = judged.reduce((sum, { verdict }) => sum + credit[verdict.verdict], 0) / judged.length
  const entities = judged.map((one) => groundedEntities(one, context))
  const relations = judged.map((one) => groundedRelations(one, context))
  return {
    citation,
    entities: shareOf(entities),
    relations: shareOf(relations),
    contradictions: countContradictions(judged, conflicts),
  }
}

export const passes = (scores: Scores, thresholds: Thresholds): boolean =>
  scores.citation >= thresholds.citation &&
  scores.entities >= thresholds.entities &&
  scores.relations >= thresholds.relations &&
  scores.contradictions <= thresholds.contradictions

type Count = { found: number; of: number }

/** Where there is nothing to find, nothing is missing. */
function shareOf(counts: readonly Count[]): number {
  const of = counts.reduce((sum, count) => sum + count.of, 0)
  return of === 0 ? 1 : counts.reduce((sum, { found }) => sum + found, 0) / of
}

/** Names and values of a claim that its passages have. */
function groundedEntities({ parts, verdict }: Judged, { index }: Context): Count {
  if (!parts) return { found: 0, of: 0 }
  const passages = verdict.cites.flatMap((n) => index.byNumber.get(n) ?? []).map((at) => index.passages[at]!)
  const names = parts.names.filter(({ ids, initials }) =>
    passages.some(
      (passage) =>
        ids.every((id) => hasWord(index, passage, id) || passage.titleIds.has(id)) ||
        (initials.length > 1 && passage.acronyms().has(initials)),
    ),
  )
  const sentences = passages.flatMap(({ from, to }) => index.sentences.slice(from, to))
  const values = parts.values.filter((value) =>
    sentences.some((sentence) => sentence.values.some((found) => isSameValue(value, found))),
  )
  return { found: names.length + values.length, of: parts.names.length + parts.values.length }
}

function groundedRelations({ parts, verdict }: Judged, context: Context): Count {
  if (!parts) return { found: 0, of: 0 }
  const passages = verdict.cites.flatMap((n) => context.index.byNumber.get(n) ?? [])
  const triples = triplesOf(parts)
  return {
    found: triples.filter((triple) => holdsTriple(triple, passages, context)).length,
    of: triples.length,
  }
}

/** Claims that a passage is against, and cited passages that are against each other, unless the answer says so. */
function countContradictions(judged: readonly Judged[], conflicts: readonly Conflict[]): number {
  const claims = judged.map(({ claim }) => claim)
  const cited = new Set(claims.flatMap(({ cites }) => cites))
  const untold = conflicts.filter(
    (conflict) => cited.has(conflict.a) && cited.has(conflict.b) && !isTold(conflict, claims),
  )
  const told = new Set(conflicts.filter((conflict) => isTold(conflict, claims)).flatMap(({ a, b }) => [a, b]))
  const opposed = judged.filter(({ verdict }) => verdict.against.some((n) => !told.has(n)))
  return (
    untold.length +
    opposed.filter(({ conflicts: own }) => own.every((conflict) => !untold.includes(conflict))).length
  )
}

/** A claim cites both passages and has both values. */
const isTold = ({ a, b, values }: Conflict, claims: readonly Claim[]): boolean =>
  claims.some(
    ({ text, cites }) =>
      cites.includes(a) &&
      cites.includes(b) &&
      values.every((value) => text.toLowerCase().includes(value.toLowerCase())),
  )

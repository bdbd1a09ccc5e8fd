import type { Claim, ClaimVerdict } from '../verify/types.ts'

/** Shares from 0 to 1; of contradictions their number. */
export type Scores = { citation: number; entities: number; relations: number; contradictions: number }

export type ScoredClaim = {
  claim: Claim
  verdict: ClaimVerdict
  /** Names and values of the claim, and how many of them its passages have. */
  entities: { found: number; of: number }
  isTurned: boolean
}

const isSupported = ({ verdict }: ClaimVerdict): boolean => verdict === 'quoted' || verdict === 'judged'

/** Of no claims all shares are 0: an answer that says nothing has not passed. */
export function scoresOf(claims: readonly ScoredClaim[], conflicts: number): Scores {
  if (claims.length === 0) return { citation: 0, entities: 0, relations: 0, contradictions: 0 }
  const share = (found: number, of: number) => (of === 0 ? 1 : found / of)
  const sum = (count: (one: ScoredClaim) => number) => claims.reduce((total, one) => total + count(one), 0)
  return {
    citation: share(
      sum(({ verdict }) => Number(isSupported(verdict))),
      claims.length,
    ),
    entities: share(
      sum(({ entities }) => entities.found),
      sum(({ entities }) => entities.of),
    ),
    relations: share(
      sum(({ verdict, isTurned }) => Number(isSupported(verdict) && !isTurned)),
      claims.length,
    ),
    contradictions: Math.max(
      conflicts,
      sum(({ verdict }) => Number(verdict.verdict === 'contradicted')),
    ),
  }
}

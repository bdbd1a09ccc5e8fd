// Judges by rules whether the passages that an answer cites say what it says. No model, no clock, no database: the same
// claims and passages give the same verdicts, in time in proportion to their text. docs/research.md has the rules and
// how often they are wrong.

import { readClaim } from './claim-parts.ts'
import { findConflicts } from './conflicts.ts'
import { type Judged, judgeClaim, uncheckedClaim } from './judge-claim.ts'
import { indexLedger } from './ledger-index.ts'
import { passes, scoresOf } from './scores.ts'
import { normalizeText, readStatement } from './statement.ts'
import { defaultThresholds, limits, type Thresholds } from './thresholds.ts'
import type { Claim, Passage, Verification } from './types.ts'
import { createVocabulary } from './vocabulary.ts'

export function verify(
  claims: readonly Claim[],
  ledger: readonly Passage[],
  thresholds: Thresholds = defaultThresholds,
): Verification {
  const vocabulary = createVocabulary()
  const index = indexLedger(ledger, vocabulary)
  const context = { index, vocabulary }
  const judged = claims.map((claim, at): Judged => {
    if (at >= limits.claims) return uncheckedClaim(claim, `only ${limits.claims} claims are checked`)
    if (claim.text.length > limits.claimChars)
      return uncheckedClaim(claim, `the claim is longer than ${limits.claimChars} characters`)
    const parts = readClaim(readStatement(normalizeText(claim.text), vocabulary), index)
    return judgeClaim(claim, parts, context)
  })
  const conflicts = findConflicts(judged, context)
  const scores = scoresOf(judged, conflicts, context)
  return {
    claims: judged.map(({ verdict }) => verdict),
    scores,
    conflicts,
    passed: passes(scores, thresholds),
  }
}

/** As `verify` with the usual thresholds, for a thread. */
export function verifyClaims({ claims, ledger }: { claims: Claim[]; ledger: Passage[] }): Verification {
  return verify(claims, ledger)
}

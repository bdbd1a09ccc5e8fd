/** What an answer has to reach to pass. `contradictions` is a number at most, the others are shares at least. */
export type Thresholds = { citation: number; entities: number; relations: number; contradictions: number }

export const defaultThresholds: Thresholds = {
  citation: 0.75,
  entities: 0.8,
  relations: 0.7,
  contradictions: 0,
}

/** What is read of an answer and a ledger; what is beyond is unchecked, or not evidence. */
export const limits = {
  claims: 500,
  claimChars: 2000,
  passages: 2000,
  passageChars: 200_000,
  ledgerChars: 2_000_000,
  reasons: 8,
  conflicts: 100,
}

/** A numbered passage of the evidence ledger: `1`, a web page `W1`, an earlier answer `P1`. */
export type Passage = { n: string; title: string; text: string }

/** One statement of the answer, with the numbers of the passages that it cites. */
export type Claim = { id: string; text: string; cites: string[] }

/**
 * `supported`: the cited passages say it. `partly`: they say some of it, or all but a number, date, name or negation.
 * `elsewhere`: other passages of the ledger say it. `nowhere`: none does. `disputed`: some say it, and others say
 * otherwise. `unchecked`: it can't be judged by rules, or is beyond the bounds.
 */
export type Verdict = 'supported' | 'partly' | 'elsewhere' | 'nowhere' | 'disputed' | 'unchecked'

export type ClaimVerdict = {
  id: string
  verdict: Verdict
  /** The numbers as cited; for `elsewhere` those of the passages that say it. */
  cites: string[]
  /** What failed, in words that a repair can act on: which number, date, name or negation, and what is written. */
  reasons: string[]
  /** How much of the claim its passages have, from 0 to 1. Not a probability. */
  score: number
  /** The numbers of the passages that say otherwise. */
  against: string[]
}

/** Two passages that give different values for the same thing. */
export type Conflict = { a: string; b: string; about: string; values: [string, string] }

export type Scores = { citation: number; entities: number; relations: number; contradictions: number }

export type Verification = {
  /** One for each claim, in their order. */
  claims: ClaimVerdict[]
  /** Shares from 0 to 1; of contradictions their number. */
  scores: Scores
  conflicts: Conflict[]
  /** Whether all scores hold the thresholds. */
  passed: boolean
}

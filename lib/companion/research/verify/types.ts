import type { ResearchVerdict } from '../../../contract/research.ts'

/** A numbered passage of the evidence ledger: `1`, a web page `W1`, an earlier answer `P1`. */
export type Passage = { n: string; title: string; text: string }

/** One statement of the answer, with the numbers of the passages that it cites. */
export type Claim = { id: string; text: string; cites: string[] }

/** What a judge says of a claim, and the sentences of its passages that it says this by. */
export type Judgement = {
  id: string
  verdict: 'supported' | 'contradicted' | 'not_enough'
  sentences: string[]
  /** Of what is not supported: the part that no passage says. */
  missing: string
}

export type ClaimVerdict = {
  id: string
  verdict: Extract<ResearchVerdict, 'quoted' | 'judged' | 'contradicted' | 'elsewhere' | 'unchecked'>
  /** The numbers as cited; for `elsewhere` those of the passages that have it. */
  cites: string[]
  /** Why it is not supported, in words that a repair can act on. */
  reasons: string[]
  /** The sentences that it rests on. */
  sentences: string[]
  /** The numbers of the passages that say otherwise. */
  against: string[]
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

import type { ResearchClaim, ResearchPlan } from '../../contract/research.ts'
import type { ResearchEvidenceRow } from '../../db/repos/research_evidence.ts'

/** Quotations for one sub-question. */
const maxQuotes = 5

/** In place of an answer: for each sub-question the lines of its passages that answer best, in their own words. */
export function quoteEvidence(
  { sub_questions }: Pick<ResearchPlan, 'sub_questions'>,
  evidence: readonly ResearchEvidenceRow[],
  maxClaims: number,
): ResearchClaim[] {
  const quoted = new Set<string>()
  const claims: ResearchClaim[] = []
  for (const [at, section] of sub_questions.entries()) {
    const own = evidence.map(({ n, sub_questions: of, quotes }) => ({
      n,
      quote: quotes[of.indexOf(at)] ?? '',
    }))
    const fresh = own.filter(({ quote }) => quote !== '' && !quoted.has(quote)).slice(0, maxQuotes)
    for (const { n, quote } of fresh) {
      if (claims.length === maxClaims) return claims
      quoted.add(quote)
      claims.push(newClaim(claims.length, { section: section.slice(0, 300), text: quote, cites: [n] }))
    }
  }
  return claims
}

/** A claim that nobody has checked yet. */
export const newClaim = (
  at: number,
  { section, text, cites }: Pick<ResearchClaim, 'section' | 'text' | 'cites'>,
): ResearchClaim => ({
  id: `c${at + 1}`,
  section,
  text,
  cites,
  verdict: 'unchecked',
  reasons: [],
  score: 0,
  against: [],
  opinion: null,
})

import type { ResearchClaim, ResearchPlan } from '../../../contract/research.ts'
import { contentStems } from '../../../core/text/words/content-words.ts'
import { wordsOf } from '../../../core/text/words/words.ts'
import type { ResearchEvidenceRow } from '../../../db/repos/research_stages.ts'
import { isNoClaim } from './is-no-claim.ts'
import { supportSentences } from './sentences.ts'

/** Quotations for one sub-question. */
const maxQuotes = 5
/** Words of a quotation: fewer are a label, more are hard to check at a glance. */
const [minWords, maxWords] = [4, 80]

/**
 * In place of an answer: for each sub-question the sentences of its passages that answer best, whole and in their own
 * words, as the rules that check them read the passages.
 */
export function quoteEvidence(
  { sub_questions }: Pick<ResearchPlan, 'sub_questions'>,
  evidence: readonly ResearchEvidenceRow[],
  maxClaims: number,
): ResearchClaim[] {
  const quoted = new Set<string>()
  const claims: ResearchClaim[] = []
  for (const [at, section] of sub_questions.entries()) {
    const asked = contentStems(section)
    let left = maxQuotes
    for (const { n, text, sub_questions: of } of evidence) {
      const quote = of.includes(at) ? bestSentence(text, asked) : null
      if (left === 0 || quote === null || quoted.has(quote)) continue
      if (claims.length === maxClaims) return claims
      left -= 1
      quoted.add(quote)
      claims.push(newClaim(claims.length, { section: section.slice(0, 300), text: quote, cites: [n] }))
    }
  }
  return claims
}

/** The one with most of the words that are asked for; `null`: none has any. */
function bestSentence(passage: string, asked: ReadonlySet<string>): string | null {
  let best: string | null = null
  let most = 0
  for (const sentence of supportSentences(passage)) {
    const words = wordsOf(sentence)
    // A lead-in says what comes, and nothing of it.
    if (words.length < minWords || words.length > maxWords || isNoClaim(sentence)) continue
    const shared = [...contentStems(sentence)].filter((word) => asked.has(word)).length
    if (shared <= most) continue
    most = shared
    best = sentence
  }
  return best
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
  sentences: [],
  against: [],
  judge: null,
})

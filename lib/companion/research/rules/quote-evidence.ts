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
  const found = sub_questions.flatMap((section, at) => {
    const asked = contentStems(section)
    return evidence.flatMap(({ n, text, sub_questions: of }) => {
      const best = of.includes(at) ? bestSentence(text, asked) : null
      return best ? [{ ...best, at, n }] : []
    })
  })
  // Each sentence where it answers best, and there once.
  const places = new Map<string, (typeof found)[number]>()
  for (const one of found) if (one.share > (places.get(one.quote)?.share ?? 0)) places.set(one.quote, one)
  return sub_questions
    .flatMap((section, of) => {
      const own = [...places.values()].filter(({ at }) => at === of).slice(0, maxQuotes)
      return own.map(({ quote, n }) => ({ section: section.slice(0, 300), text: quote, cites: [n] }))
    })
    .slice(0, maxClaims)
    .map((claim, at) => newClaim(at, claim))
}

/** The one with most of the words that are asked for, and the share of these; `null`: none has any. */
function bestSentence(passage: string, asked: ReadonlySet<string>): { quote: string; share: number } | null {
  let best: { quote: string; share: number } | null = null
  for (const quote of supportSentences(passage)) {
    const words = wordsOf(quote)
    // A lead-in says what comes, and nothing of it.
    if (words.length < minWords || words.length > maxWords || isNoClaim(quote)) continue
    const share = [...contentStems(quote)].filter((word) => asked.has(word)).length / asked.size
    if (share > (best?.share ?? 0)) best = { quote, share }
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

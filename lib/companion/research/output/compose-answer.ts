// The answer of a run, from its claims and ledger. Deterministic: passages are numbered in the order in which the answer
// first uses them.

import type { ResearchThresholds } from '../../../contract/companion/research-settings.ts'
import type {
  ResearchAnswer,
  ResearchClaim,
  ResearchOutcome,
  ResearchReference,
} from '../../../contract/research.ts'
import { cutAtWord } from '../../../core/text/bounds.ts'
import { plainText } from '../../../core/text/markdown.ts'
import { findRuns } from '../../../core/text/words/find-runs.ts'
import { quoteWords } from '../../../core/text/words/quote-words.ts'
import { remember } from '../../../core/text/words/remember.ts'
import type { ResearchRunRow } from '../../../db/repos/research_runs.ts'
import type { ResearchEvidenceRow } from '../../../db/repos/research_stages.ts'
import { supportSentences } from '../rules/sentences.ts'
import { isSupported } from './count-verdicts.ts'

export type AnswerParts = {
  run: ResearchRunRow
  evidence: readonly ResearchEvidenceRow[]
  claims: readonly ResearchClaim[]
  outcome: ResearchOutcome
  not_found: string[]
  thresholds: ResearchThresholds
  quotations_only: boolean
}

/** Without its Markdown. */
export function composeAnswer({
  run,
  evidence,
  claims,
  outcome,
  not_found,
  thresholds,
  quotations_only,
}: AnswerParts): Omit<ResearchAnswer, 'markdown'> {
  const byNumber = new Map(evidence.map((one) => [one.n, one]))
  const references = new Map<string, ResearchReference>()
  const wordsOf = remember(quoteWords)
  const toRef = (passage: ResearchEvidenceRow): number => {
    const known =
      references.get(passage.n) ??
      toReference(passage, references.size + 1, supportingSentence(passage, claims, wordsOf))
    references.set(passage.n, known)
    return known.n
  }
  const sections = [...Map.groupBy(claims, ({ section }) => section)].map(([heading, own]) => ({
    heading,
    claims: own.map((claim) => {
      const passages = claim.cites.flatMap((n) => byNumber.get(n) ?? [])
      const quotes = passages.map((passage) => toQuote(supportingSentence(passage, [claim], wordsOf) ?? ''))
      return { text: claim.text, refs: passages.map(toRef), quotes, verdict: claim.verdict }
    }),
  }))
  return {
    run_id: run.id,
    question: run.question,
    depth: run.depth,
    outcome,
    sections,
    references: [...references.values()],
    not_found,
    conflicts: run.verification?.conflicts ?? [],
    scores: run.verification?.scores ?? null,
    thresholds,
    judge: claims.find(({ judge }) => judge)?.judge?.model ?? null,
    quotations_only,
  }
}

const maxQuote = 280

const toReference = (
  passage: ResearchEvidenceRow,
  n: number,
  sentence: string | undefined,
): ResearchReference => {
  const { n: evidence, entity_type, entity_id, ordinal, title, address, earlier } = passage
  return {
    ...{ n, evidence, entity_type, entity_id, ordinal, title },
    ...(address ? { address } : {}),
    ...(earlier ? { earlier: { run_id: earlier.run_id, section: sectionOf(earlier) } } : {}),
    quote: toQuote(sentence ?? firstStatement(passage)),
  }
}

const toQuote = (text: string): string => cutAtWord(plainText(text), maxQuote)

type WordsOf = (text: string) => string[]

/** The sentence of a passage that supports the first of the claims that cite it. */
function supportingSentence(
  { n, text }: ResearchEvidenceRow,
  claims: readonly ResearchClaim[],
  wordsOf: WordsOf,
): string | undefined {
  return claims
    .filter(({ cites }) => cites.includes(n))
    .flatMap(({ sentences }) => sentences)
    .find((sentence) => findRuns(wordsOf(text), wordsOf(sentence), 1).length > 0)
}

/** The line that a search found best, unless that is a heading; else the first sentence. */
function firstStatement({ text, quotes }: ResearchEvidenceRow): string {
  const sentences = supportSentences(text)
  return (
    quotes.find((quote) => quote !== '' && sentences.some((sentence) => sentence.includes(quote))) ??
    sentences[0] ??
    text.trim().split('\n')[0]!
  )
}

/** The section of its first supported claim, or else of its first. */
const sectionOf = ({ claims }: NonNullable<ResearchEvidenceRow['earlier']>): string | null =>
  (claims.find(isSupported) ?? claims[0])?.section ?? null

// The answer of a run, from its claims and ledger. Deterministic: passages are numbered in the order in which the answer
// first uses them.

import type {
  ResearchAnswer,
  ResearchClaim,
  ResearchOutcome,
  ResearchReference,
} from '../../../contract/research.ts'
import { cutAtWord } from '../../../core/text/bounds.ts'
import { plainText } from '../../../core/text/markdown.ts'
import type { ResearchRunRow } from '../../../db/repos/research_runs.ts'
import type { ResearchEvidenceRow } from '../../../db/repos/research_stages.ts'

export type AnswerParts = {
  run: ResearchRunRow
  evidence: readonly ResearchEvidenceRow[]
  claims: readonly ResearchClaim[]
  outcome: ResearchOutcome
  not_found: string[]
}

/** Without its Markdown. */
export function composeAnswer({
  run,
  evidence,
  claims,
  outcome,
  not_found,
}: AnswerParts): Omit<ResearchAnswer, 'markdown'> {
  const byNumber = new Map(evidence.map((one) => [one.n, one]))
  const references = new Map<string, ResearchReference>()
  const toRef = (n: string): number[] => {
    const passage = byNumber.get(n)
    if (!passage) return []
    const known = references.get(n)
    if (known) return [known.n]
    references.set(n, toReference(passage, references.size + 1))
    return [references.size]
  }
  const sections = [...Map.groupBy(claims, ({ section }) => section)].map(([heading, own]) => ({
    heading,
    claims: own.map(({ text, cites, verdict }) => ({ text, refs: cites.flatMap(toRef), verdict })),
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
  }
}

const maxQuote = 280

const toReference = (
  {
    n: evidence,
    entity_type,
    entity_id,
    ordinal,
    title,
    quotes,
    text,
    address,
    earlier,
  }: ResearchEvidenceRow,
  n: number,
): ResearchReference => ({
  n,
  evidence,
  entity_type,
  entity_id,
  ordinal,
  title,
  ...(address ? { address } : {}),
  ...(earlier ? { earlier: { run_id: earlier.run_id, section: sectionOf(earlier) } } : {}),
  quote: quotes.find(Boolean) ?? firstLine(text),
})

/** The section of its first supported claim, or else of its first. */
const sectionOf = ({ claims }: NonNullable<ResearchEvidenceRow['earlier']>): string | null =>
  (claims.find(({ verdict }) => verdict === 'supported') ?? claims[0])?.section ?? null

/** The first line of a passage that says something, as a reader sees it. */
const firstLine = (text: string): string =>
  cutAtWord(
    plainText(text)
      .split('\n')
      .map((line) => line.trim())
      .find((line) => line !== '') ?? '',
    maxQuote,
  )

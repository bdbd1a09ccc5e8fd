// The page that is drafted from an answer.

import type { ResearchAnswer } from '../../../contract/research.ts'
import type { ResearchClaimChange, ResearchComparison } from '../../../contract/research-comparison.ts'
import { markdownLine } from '../../../core/text/cited/cited-markdown.ts'
import { claimText, headLine, labelOf, verdictWords } from './answer-text.ts'

type Composed = Omit<ResearchAnswer, 'markdown'>

type Earlier = NonNullable<ResearchAnswer['references'][number]['earlier']>

type PageFacts = {
  /** Where an entity or a run of the Space is shown, at its passage of this number; `null` for what has no address. */
  hrefOf: (type: string, id: string, ordinal?: number) => string | null
  /** As it is shown, such as `$0.12, 3,400 tokens`. */
  cost: string
  /** For each claim, in the order of the answer: why its verdict is what it is, and whose it is. */
  notes: readonly string[]
  /** A sentence for each source that could not be asked. */
  problems: readonly string[]
  /** For a run that repeats another one. */
  comparison: ResearchComparison | null
}

export function pageBody(answer: Composed, facts: PageFacts): string {
  return [
    headLine(answer),
    ...sectionParts(answer),
    ...(facts.comparison ? [comparisonSection(facts.comparison)] : []),
    ...verdictTable(answer, facts),
    ...listPart(
      'Not found',
      answer.not_found.map((item) => `- ${markdownLine(item)}`),
    ),
    ...listPart('References', referenceLines(answer, facts)),
    '## About this research',
    aboutLines(answer, facts).join('\n'),
  ].join('\n\n')
}

function sectionParts(answer: Composed): string[] {
  return answer.sections.flatMap(({ heading, claims }) => [
    ...(heading ? [`## ${markdownLine(heading)}`] : []),
    ...claims.map((claim) => claimText(answer, claim)),
  ])
}

function verdictTable({ sections, references }: Composed, { notes }: PageFacts): string[] {
  const claims = sections.flatMap((section) => section.claims)
  if (claims.length === 0) return []
  const rows = claims.map(({ text, refs, verdict }, at) => [
    String(at + 1),
    shortClaim(text),
    named(verdict),
    refs.map((n) => labelOf(references[n - 1]!)).join(', '),
    markdownLine(notes[at] ?? ''),
  ])
  return ['## Verdicts', table(['#', 'Claim', 'Verdict', 'References', 'Note'], rows)]
}

const maxShown = 160

const shortClaim = (text: string): string =>
  markdownLine(text.length > maxShown ? `${text.slice(0, maxShown).toWellFormed()}…` : text)

const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const named = (verdict: ResearchClaimChange['verdict']): string => verdictWords[verdict] || 'quoted'

const listPart = (title: string, lines: readonly string[]): string[] =>
  lines.length > 0 ? [`## ${title}`, lines.join('\n')] : []

function referenceLines({ references }: Composed, { hrefOf }: PageFacts): string[] {
  return references.map((reference) => {
    const { entity_type, entity_id, ordinal, title, quote, address, earlier } = reference
    const n = `- [${labelOf(reference)}]`
    // The address is what is shown: nothing else says where the link goes.
    if (address) return `${n} ${markdownLine(title)} <${address}>: “${markdownLine(quote)}”`
    const href = hrefOf(entity_type, entity_id, ordinal)
    const name = markdownLine(title) || 'Untitled'
    return `${n} ${href ? `[${name}](${href})` : name}: “${markdownLine(quote)}”${earlier ? ` (${earlierText(earlier, hrefOf)})` : ''}`
  })
}

/** Which section of an earlier answer cites it. */
function earlierText({ run_id, section }: Earlier, hrefOf: PageFacts['hrefOf']): string {
  const href = hrefOf('research_run', run_id)
  const research = href ? `[earlier research](${href})` : 'earlier research'
  if (section === null) return `found by ${research}`
  return section === '' ? `cited by ${research}` : `cited in “${markdownLine(section)}” of ${research}`
}

function aboutLines({ question, depth, scores, run_id }: Composed, { cost, problems }: PageFacts): string[] {
  const percent = (share: number) => `${Math.round(share * 100)} %`
  return [
    `- Question: ${markdownLine(question)}`,
    `- Depth: ${depth}`,
    `- Cost: ${cost}`,
    ...(scores
      ? [
          `- Scores: citations ${percent(scores.citation)}, names ${percent(scores.entities)}, relations ${percent(scores.relations)}, contradictions ${scores.contradictions}`,
        ]
      : ['- Scores: not checked']),
    ...problems.map((problem) => `- ${markdownLine(problem)}`),
    `- Run: ${run_id}`,
  ]
}

const changeWords: Readonly<Record<ResearchClaimChange['change'], string>> = {
  contradicted: 'now contradicted',
  stale: 'stale: its source changed',
  lost_support: 'lost support',
  gained_support: 'gained support',
  unchecked: 'could not be checked',
  new: 'new',
  dropped: 'not said again',
  same: 'as before',
}

/** What a repeated run found otherwise than the one before, as a section of its page. */
function comparisonSection({ passages, claims }: ResearchComparison): string {
  const changed = claims.filter(({ change }) => change !== 'same')
  const { same } = passages
  const counted = `Of the passages of the run before, ${same} are the same, ${passages.changed} have changed and ${passages.gone} were not found again; ${passages.new} are new.`
  return [
    '## Since the previous run',
    changed.length === 0 ? `${counted} No verdict has changed.` : counted,
    ...(changed.length === 0 ? [] : [table(['Claim', 'Before', 'Now', 'Change'], changed.map(toRow))]),
  ].join('\n\n')
}

const toRow = ({ change, text, previous_verdict: before, verdict }: ResearchClaimChange): string[] => [
  shortClaim(text),
  before ? named(before) : '',
  named(verdict),
  changeWords[change],
]

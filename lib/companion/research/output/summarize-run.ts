// What later turns of the thread are told of a run: the question, how it ended, what was found and how sure that is.

import type { ResearchAnswer, ResearchClaim } from '../../../contract/research.ts'
import { cleanLine } from '../../../core/text/clean.ts'
import type { ResearchRunRow } from '../../../db/repos/research_runs.ts'
import type { ResearchEvidenceRow, ResearchStageRow } from '../../../db/repos/research_stages.ts'
import { headLine, verdictWords } from './answer-text.ts'
import { isSupported } from './count-verdicts.ts'

type SummaryParts = {
  run: ResearchRunRow
  stages: readonly Pick<ResearchStageRow, 'stage' | 'status'>[]
  evidence: readonly Pick<ResearchEvidenceRow, 'title' | 'quotes' | 'untrusted'>[]
  claims: readonly Pick<ResearchClaim, 'text' | 'verdict'>[]
  /** `null` for a run that came to none. */
  answer: Omit<ResearchAnswer, 'markdown'> | null
}

const maxSummary = 1500
/** What is shorter has what was searched for and found added to it. */
const minSummary = 500
const maxQuestion = 300
const maxLine = 220

/** At most 1,500 characters, and 500 where there is enough to say. */
export function summarizeRun(parts: SummaryParts): string {
  const { run, evidence, claims, answer } = parts
  const { scores = null, not_found = [] } = answer ?? {}
  const lines = [
    `Question: ${cut(run.question, maxQuestion)}`,
    `Result (${run.depth}): ${answer ? cleanLine(headLine(answer).replaceAll('*', '')) : 'no answer was written.'}`,
    `Complete: ${completeness(parts)}`,
    `Stages done: ${stagesDone(parts)}`,
    ...(scores
      ? [
          `Scores: citation ${scores.citation.toFixed(2)}, entities ${scores.entities.toFixed(2)}, relations ${scores.relations.toFixed(2)}, contradictions ${scores.contradictions}`,
        ]
      : []),
    ...(evidence.some(({ untrusted }) => untrusted) ? ['Some of the passages are from outside.'] : []),
    ...(not_found.length > 0 ? [`Not found: ${cut(not_found.join('; '), maxQuestion)}`] : []),
    ...(claims.length > 0 ? ['Findings:'] : []),
  ]
  const order = claims.toSorted((a, b) => rank(a.verdict) - rank(b.verdict))
  const findings = order.map(
    ({ text, verdict }) =>
      `- ${cut(text, maxLine)}${isSupported({ verdict }) ? '' : ` (${verdictWords[verdict]})`}`,
  )
  const summary = append(lines.join('\n'), findings, maxSummary)
  return append(summary, contextLines(parts), minSummary).slice(0, maxSummary).toWellFormed()
}

function completeness({ run: { status, outcome, pause, error, break_out }, answer }: SummaryParts): string {
  if (status === 'failed') return `no, it failed: ${cut(error?.message ?? 'unknown', maxLine)}`
  if (status === 'stopped')
    return break_out ? 'no, the owner left it for another question' : 'no, it was stopped'
  if (status === 'paused') return `no, it waits for the owner (${pause})`
  switch (outcome) {
    case 'checked':
      if (answer?.quotations_only) return 'no, only passages are quoted, without an answer'
      return answer && answer.not_found.length > 0 ? 'no, some of it was not found' : 'yes'
    case 'disputed':
      return 'no, a claim of the answer is contradicted'
    case 'nothing_found':
      return 'no, nothing was found'
    default:
      return 'no, some claims of the answer are unchecked'
  }
}

function stagesDone({ stages }: SummaryParts): string {
  const done = stages.filter(({ status }) => status === 'done' || status === 'paused')
  return [...new Set(done.map(({ stage }) => stage))].join(', ') || 'none'
}

function contextLines({ run: { plan }, evidence }: SummaryParts): string[] {
  const asked = (plan?.sub_questions ?? []).map((text) => `- ${cut(text, maxLine)}`)
  const found = evidence.map(
    ({ title, quotes }) => `- ${cut(`${title}: ${quotes.find(Boolean) ?? ''}`, maxLine)}`,
  )
  return [
    ...(asked.length > 0 ? ['Searched for:', ...asked] : []),
    ...(found.length > 0 ? ['Passages found:', ...found] : []),
  ]
}

/** Lines while the text is shorter than `until`, and they fit. */
function append(text: string, lines: readonly string[], until: number): string {
  let longer = text
  for (const line of lines) {
    if (longer.length >= until || longer.length + line.length + 1 > maxSummary) break
    longer += `\n${line}`
  }
  return longer
}

const rank = (verdict: ResearchClaim['verdict']) => (isSupported({ verdict }) ? 0 : 1)

const cut = (text: string, max: number) =>
  cleanLine(text.slice(0, max * 2))
    .slice(0, max)
    .toWellFormed()

import type { ResearchAnswer } from '../../contract/research.ts'
import { cleanLine } from '../../text/clean.ts'
import { headLine } from './answer-text.ts'

const maxSummary = 1500
const maxQuestion = 300
const maxClaim = 220

/** What later turns are told of a run: the question, what was found, how sure that is. At most 1,500 characters. */
export function summarizeRun(answer: Omit<ResearchAnswer, 'markdown'>): string {
  const { question, depth, scores, sections, not_found } = answer
  const lines = [
    `Question: ${cut(question, maxQuestion)}`,
    `Result (${depth}): ${cleanLine(headLine(answer).replaceAll('*', ''))}`,
    ...(scores
      ? [
          `Scores: citation ${scores.citation.toFixed(2)}, entities ${scores.entities.toFixed(2)}, relations ${scores.relations.toFixed(2)}, contradictions ${scores.contradictions}`,
        ]
      : []),
    ...(not_found.length > 0 ? [`Not found: ${cut(not_found.join('; '), maxQuestion)}`] : []),
    'Findings:',
  ]
  const claims = sections.flatMap((section) => section.claims)
  const order = claims.toSorted((a, b) => rank(a.verdict) - rank(b.verdict))
  let text = lines.join('\n')
  for (const { text: said, verdict } of order) {
    const line = `\n- ${cut(said, maxClaim)}${verdict === 'supported' ? '' : ` (${verdict})`}`
    if (text.length + line.length > maxSummary) break
    text += line
  }
  return text.slice(0, maxSummary).toWellFormed()
}

const rank = (verdict: string) => (verdict === 'supported' ? 0 : 1)

const cut = (text: string, max: number) =>
  cleanLine(text.slice(0, max * 2))
    .slice(0, max)
    .toWellFormed()

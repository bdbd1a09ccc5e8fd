import type { ResearchClaimChange, ResearchComparison } from '../../../contract/research-comparison.ts'
import { markdownLine } from '../../../core/text/cited/markdown-line.ts'
import { verdictWords } from './answer-text.ts'

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

const shortClaim = 160

/** What a repeated run found otherwise than the one before, as a section of its page. */
export function comparisonSection({ passages, claims }: ResearchComparison): string {
  const changed = claims.filter(({ change }) => change !== 'same')
  const { same } = passages
  const counted = `Of the passages of the run before, ${same} are the same, ${passages.changed} have changed and ${passages.gone} were not found again; ${passages.new} are new.`
  return [
    '## Since the previous run',
    changed.length === 0 ? `${counted} No verdict has changed.` : counted,
    ...(changed.length === 0
      ? []
      : [['| Claim | Before | Now | Change |', '| --- | --- | --- | --- |', ...changed.map(row)].join('\n')]),
  ].join('\n\n')
}

function row({ change, text, previous_verdict: before, verdict }: ResearchClaimChange): string {
  const short = text.length > shortClaim ? `${text.slice(0, shortClaim).toWellFormed()}…` : text
  const cells = [markdownLine(short), before ? named(before) : '', named(verdict), changeWords[change]]
  return `| ${cells.join(' | ')} |`
}

const named = (verdict: ResearchClaimChange['verdict']): string => verdictWords[verdict] || 'supported'

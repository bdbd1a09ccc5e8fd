// What is said where a run waits.

import { markdownLine } from '../../../core/text/cited/cited-markdown.ts'
import type { ResearchRunRow } from '../../../db/repos/research_runs.ts'
import type { ResearchStageRow } from '../../../db/repos/research_stages.ts'
import { planText, replyHint } from '../output/answer-text.ts'
import { isCancel } from '../rules/read-message.ts'
import { type BudgetNeeds, count, dollars, neededBudget, raisedTo } from './budget.ts'

export const pauseText = (run: ResearchRunRow, stages: readonly ResearchStageRow[]): string =>
  run.pause === 'budget' || !run.plan
    ? raiseHint(run, neededBudget(stages))
    : `${planText(run.plan, run)}\n\n${replyHint}`

/** What going on raises, from what to what; the other limit stays. */
export function raiseHint(run: ResearchRunRow, needs: BudgetNeeds | null): string {
  const raised = raisedTo(run, needs)
  const parts = [
    ...(raised.budget_tokens > run.budget_tokens
      ? [`from ${count(run.budget_tokens)} to ${count(raised.budget_tokens)} tokens`]
      : []),
    ...(raised.budget_usd > run.budget_usd
      ? [`from ${dollars(run.budget_usd)} to ${dollars(raised.budget_usd)}`]
      : []),
  ]
  const what = parts.length > 0 ? `raise the budget ${parts.join(' and ')}` : 'try again'
  return `Everything so far is kept. Reply “go on” to ${what}, or “cancel”.`
}

const maxShown = 160

/** Asked before a run is left for a message. */
export function confirmText(message: string): string {
  if (isCancel(message))
    return 'Leave this research?\n\n1. Leave research; its plan and what it found are kept\n2. Stay in research\n\nAny other message leaves research too and is answered.'
  const shown = markdownLine(message.slice(0, maxShown).toWellFormed())
  return [
    'This looks like something else than an answer to the research that waits.',
    `1. Leave research and answer this: “${shown}${message.length > maxShown ? '…' : ''}”\n2. Stay in research`,
    'Any other message leaves research too and is answered.',
  ].join('\n\n')
}

export const stayText = (run: ResearchRunRow, stages: readonly ResearchStageRow[]): string =>
  `Research waits as before; your next message is for it.\n\n${pauseText(run, stages)}`

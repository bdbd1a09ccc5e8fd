// What is said where a run waits.

import { markdownLine } from '../../../core/text/cited/cited-markdown.ts'
import type { ResearchRunRow } from '../../../db/repos/research_runs.ts'
import { planText, replyHint } from '../output/answer-text.ts'
import { isCancel } from '../rules/read-message.ts'
import { dollars } from './budget.ts'

export const pauseText = (run: ResearchRunRow): string =>
  run.pause === 'budget' || !run.plan ? raiseHint(run) : `${planText(run.plan, run.depth)}\n\n${replyHint}`

export const raiseHint = ({ budget_usd, budget_tokens }: ResearchRunRow): string =>
  `Everything so far is kept. Reply “go on” to raise the budget to ${dollars(budget_usd * 2)} and ${(budget_tokens * 2).toLocaleString('en-US')} tokens, or “cancel”.`

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

export const stayText = (run: ResearchRunRow): string =>
  `Research waits as before; your next message is for it.\n\n${pauseText(run)}`

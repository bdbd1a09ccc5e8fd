import type { ResearchDepth, ResearchPlan } from '../../../contract/research.ts'
import { markdownLine } from '../../../core/text/cited/markdown-line.ts'

/** A plan as lines for a model. */
export const describePlan = ({ question, sub_questions }: ResearchPlan): string =>
  [question, ...sub_questions.map((text, at) => `${at + 1}. ${text}`)].join('\n')

/** A plan as it is shown in the thread. */
export function planText(plan: ResearchPlan, depth: ResearchDepth): string {
  const list = (title: string, items: readonly string[]) =>
    items.length > 0 ? [`${title}\n${items.map((item) => `- ${markdownLine(item)}`).join('\n')}`] : []
  const { suggested_depth: suggested } = plan
  return [
    `**Research plan** (${depth})`,
    markdownLine(plan.question),
    plan.sub_questions.map((text, at) => `${at + 1}. ${markdownLine(text)}`).join('\n'),
    ...list('Counts as an answer:', plan.criteria),
    ...list('Open:', plan.ambiguities),
    ...(suggested && suggested !== depth ? [`Suggested depth: ${suggested}.`] : []),
  ].join('\n\n')
}

export const replyHint = 'Reply “go on”, write what to change, or “cancel”.'

// The answer as it stands in the thread, with the citations of each claim.

import type { Citation } from '../../../contract/events/events.ts'
import type {
  ResearchAnswer,
  ResearchDepth,
  ResearchPlan,
  ResearchVerdict,
} from '../../../contract/research.ts'
import { markdownLine } from '../../../core/text/cited/cited-markdown.ts'

type Composed = Omit<ResearchAnswer, 'markdown'>

/** What is said of a claim behind it; nothing of one that is supported. */
export const verdictWords: Readonly<Record<ResearchVerdict, string>> = {
  supported: '',
  partly: 'partly supported',
  elsewhere: 'partly supported',
  nowhere: 'not supported',
  disputed: 'disputed',
  unchecked: 'unchecked',
}

/** `offset`: characters of the message before it. */
export function answerText(answer: Composed, offset = 0): { text: string; citations: Citation[] } {
  const citations: Citation[] = []
  let text = `${headLine(answer)}\n\n`
  for (const { heading, claims } of answer.sections) {
    if (heading) text += `### ${markdownLine(heading)}\n\n`
    for (const { text: said, refs, verdict } of claims) {
      const start = offset + text.length
      const words = verdictWords[verdict]
      text += `${markdownLine(said)}${words && ` *(${words})*`}`
      const span = { start, end: offset + text.length }
      for (const n of refs) citations.push(toCitation(answer, n, verdict, span))
      text += '\n\n'
    }
  }
  return { text: text + notFoundText(answer), citations }
}

function toCitation(
  { references }: Composed,
  n: number,
  verdict: ResearchVerdict,
  span: Pick<Citation, 'start' | 'end'>,
): Citation {
  const { entity_type: kind, entity_id: id, title, quote: cited_text, ordinal } = references[n - 1]!
  return { n, kind, id, title, cited_text, checked: verdict === 'supported', ordinal, ...span }
}

/** What has to be known before the answer is read. */
export function headLine({ outcome, sections, scores, conflicts }: Composed): string {
  const claims = sections.flatMap((section) => section.claims)
  const supported = claims.filter(({ verdict }) => verdict === 'supported').length
  const counted = `${supported} of ${claims.length} claims are supported by the passages they cite.`
  switch (outcome) {
    case 'nothing_found':
      return 'Nothing found: no passage in this Space matches the plan.'
    case 'evidence':
      return 'The passages that match best, quoted. This is evidence, not an answer: no model has written one.'
    case 'unverified':
      return [
        '**This answer did not pass verification.**',
        scores ? counted : 'Its claims could not be checked.',
        ...(conflicts.length > 0 ? ['Its sources disagree; see the claims marked disputed.'] : []),
      ].join(' ')
    case 'answered':
      return counted
  }
}

function notFoundText({ not_found }: Composed): string {
  if (not_found.length === 0) return ''
  return `Not found:\n\n${not_found.map((item) => `- ${markdownLine(item)}`).join('\n')}\n\n`
}

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

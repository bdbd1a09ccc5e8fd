// The answer as it stands in the thread, with the citations of each claim.

import type { ResearchThresholds } from '../../../contract/companion/research-settings.ts'
import type { Citation } from '../../../contract/events/events.ts'
import type {
  ResearchAnswer,
  ResearchDepth,
  ResearchPlan,
  ResearchReference,
  ResearchVerdict,
} from '../../../contract/research.ts'
import { markdownLine } from '../../../core/text/cited/cited-markdown.ts'
import { cleanLine } from '../../../core/text/clean.ts'
import { isThin } from '../rules/is-thin.ts'
import { thresholds as defaults } from '../rules/thresholds.ts'
import { isSupported, verdictCounts } from './count-verdicts.ts'

type Composed = Omit<ResearchAnswer, 'markdown'>

/** What is said of a claim behind it; nothing of one that is quoted. Verdicts of earlier versions check nothing. */
export const verdictWords: Readonly<Record<ResearchVerdict, string>> = {
  ...{ quoted: '', judged: 'judged supported', contradicted: 'contradicted', disputed: 'contradicted' },
  ...{ elsewhere: 'unchecked', unchecked: 'unchecked' },
  ...{ supported: 'unchecked', partly: 'unchecked', nowhere: 'unchecked' },
}

/** The number of a reference as it is shown; passages from the web and from earlier runs have their own. */
export const labelOf = ({ n, evidence }: Pick<ResearchReference, 'n' | 'evidence'>): string =>
  /^[WP]/.test(evidence) ? evidence : String(n)

/** A claim with what is said of it and the numbers that it rests on. */
export function claimText(
  { references }: Composed,
  { text, refs, verdict }: Composed['sections'][number]['claims'][number],
): string {
  const words = verdictWords[verdict]
  const numbers = refs.map((n) => ` [${labelOf(references[n - 1]!)}]`).join('')
  return `${markdownLine(text)}${words && ` *(${words})*`}${numbers}`
}

/** `offset`: characters of the message before it. */
export function answerText(answer: Composed, offset = 0): { text: string; citations: Citation[] } {
  const citations: Citation[] = []
  let text = `${headLine(answer)}\n\n`
  for (const { heading, claims } of answer.sections) {
    if (heading) text += `### ${markdownLine(heading)}\n\n`
    for (const claim of claims) {
      const start = offset + text.length
      text += claimText(answer, claim)
      const span = { start, end: offset + text.length }
      for (const at of claim.refs.keys()) citations.push(toCitation(answer, claim, at, span))
      text += '\n\n'
    }
  }
  return { text: text + notFoundText(answer), citations }
}

function toCitation(
  { references }: Composed,
  { refs, quotes, verdict }: Composed['sections'][number]['claims'][number],
  at: number,
  span: Pick<Citation, 'start' | 'end'>,
): Citation {
  const n = refs[at]!
  const { entity_type: kind, entity_id: id, title, quote, ordinal } = references[n - 1]!
  const cited_text = quotes?.[at] || quote
  return { n, kind, id, title, cited_text, checked: isSupported({ verdict }), ordinal, ...span }
}

const scoreNames = { citation: 'citations', entities: 'names', relations: 'relations' } as const

/** What has to be known before the answer is read. */
export function headLine(answer: Composed): string {
  const { outcome, sections, scores, conflicts, quotations_only, judge } = answer
  if (outcome === 'nothing_found') return 'Nothing found: no passage in this Space matches the plan.'
  if (quotations_only) return 'Quotations only. Nothing was concluded.'
  const claims = sections.flatMap((section) => section.claims)
  const by = judge ? ` Judged by ${markdownLine(judge)}.` : ''
  const disagree =
    conflicts.length > 0 && claims.some(({ verdict }) => verdictWords[verdict] === 'contradicted')
      ? ' Its sources disagree; see the claims marked contradicted.'
      : ''
  if (!scores) return `${verdictCounts(claims)}. They could not be checked.`
  return `${verdictCounts(claims)}.${disagree}${shortOf(scores, answer.thresholds ?? defaults)}${by}`
}

/** The scores that are too low, each with what is wanted. */
function shortOf(scores: NonNullable<Composed['scores']>, thresholds: ResearchThresholds): string {
  const percent = (share: number) => `${Math.round(share * 100)} %`
  const short = (['citation', 'entities', 'relations'] as const).flatMap((name) =>
    scores[name] < thresholds[name]
      ? [`${scoreNames[name]} ${percent(scores[name])}, ${percent(thresholds[name])} wanted`]
      : [],
  )
  return short.length > 0 ? ` Too low: ${short.join('; ')}.` : ''
}

function notFoundText({ not_found }: Composed): string {
  if (not_found.length === 0) return ''
  return `Not found:\n\n${not_found.map((item) => `- ${markdownLine(item)}`).join('\n')}\n\n`
}

/** A plan as lines for a model. */
export const describePlan = ({ question, sub_questions }: ResearchPlan): string =>
  [question, ...sub_questions.map((text, at) => `${at + 1}. ${text}`)].join('\n')

/** A plan as it is shown in the thread. */
export function planText(
  plan: ResearchPlan,
  { depth, question }: { depth: ResearchDepth; question: string },
): string {
  const list = (title: string, items: readonly string[]) =>
    items.length > 0 ? [`${title}\n${items.map((item) => `- ${markdownLine(item)}`).join('\n')}`] : []
  const { suggested_depth: suggested } = plan
  return [
    `**Research plan** (${depth})`,
    // The owner's own words stand right above.
    ...(cleanLine(plan.question) === cleanLine(question) ? [] : [markdownLine(plan.question)]),
    plan.sub_questions.map((text, at) => `${at + 1}. ${markdownLine(text)}`).join('\n'),
    ...list('Counts as an answer:', plan.criteria),
    ...(isThin(question, depth)
      ? [
          `**One question first:** ${markdownLine(plan.ambiguities[0] ?? `What do you want to know about “${cleanLine(question)}”?`)}`,
        ]
      : list('Open:', plan.ambiguities)),
    ...(suggested && suggested !== depth ? [`Suggested depth: ${suggested}.`] : []),
  ].join('\n\n')
}

export const replyHint = 'Reply “go on”, write what to change, or “cancel”.'

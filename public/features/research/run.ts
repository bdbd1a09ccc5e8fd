import type { List } from '../../../lib/contract/list.ts'
import type {
  ResearchClaim,
  ResearchEvidence,
  ResearchRun,
  ResearchStage,
} from '../../../lib/contract/research.ts'
import type { ResearchComparison } from '../../../lib/contract/research-comparison.ts'
import { openConversation } from '../../app/actions/threads.ts'
import { toastFailure } from '../../app/actions/toast-failure.ts'
import { ApiError, type Reader } from '../../app/api/api.ts'
import { defineView, type ViewContext } from '../../app/view.ts'
import { staleLine } from '../../page/read/stale-line.ts'
import { externalLink } from '../../ui/components/external-link.ts'
import { type Child, el } from '../../ui/dom.ts'
import { entityHref, spaceHref } from '../../ui/words/addresses.ts'
import { renderComparison } from './comparison.ts'
import {
  costText,
  stageStatusNow,
  stageStatusWords,
  stageWords,
  stateBadge,
  verdictBadge,
} from './research-words.ts'
import { describeRun, labelEditor, rerun, stopRun } from './run-actions.ts'
import { renderRunControls } from './run-controls.ts'

type RunData = {
  run: ResearchRun
  evidence: List<ResearchEvidence>
  comparison: ResearchComparison | null
}

export const run = defineView<RunData>({
  async load({ api, params }) {
    const path = `/api/research/${params.id}`
    const run = await api.get<ResearchRun>(path)
    return {
      run,
      evidence: await api.get(`${path}/evidence?limit=200`),
      comparison: run.previous_id && run.status === 'done' ? await loadComparison(api, path) : null,
    }
  },
  title: ({ run }) => run.title,
  render: ({ run, evidence, comparison }, context) => [
    el(
      'header',
      { class: 'view-head' },
      el('h1', {}, run.title),
      run.question !== run.title && el('p', { class: 'dim' }, run.question),
    ),
    el('div', { class: 'research-head' }, stateBadge(run), facts(run)),
    el('div', { class: 'research-head' }, buttons(run, context), labelEditor(run, context)),
    staleLine(run),
    previousLine(run, context),
    renderRunControls({ app: context.app, run, onDone: () => void context.refresh() }),
    run.error && el('p', { class: 'ending ending-problem' }, run.error.message),
    part(
      'Plan',
      run.plan &&
        el(
          'ol',
          {},
          run.plan.sub_questions.map((text) => el('li', {}, text)),
        ),
    ),
    part(
      'Stages',
      run.stages.length > 0 &&
        el(
          'ol',
          {},
          run.stages
            .filter(({ status }) => status !== 'skipped')
            .map((stage) => stageLine(stage, run.status)),
        ),
    ),
    part('Since the previous run', comparison && renderComparison(comparison, context.space!)),
    part('Claims', run.claims.length > 0 && el('ol', {}, run.claims.map(claimLine))),
    part(
      'Evidence',
      evidence.items.length > 0 &&
        el(
          'ul',
          {},
          evidence.items.map((one) => passage(one, context)),
        ),
    ),
    evidence.next_cursor && el('p', { class: 'dim' }, 'The first 200 passages.'),
    part(
      'Rename',
      el(
        'label',
        { class: 'field-label' },
        el('span', { class: 'visually-hidden' }, 'Title'),
        titleField(run, context),
      ),
    ),
  ],
  affectedBy: (event, { run }) => event.type === 'turn' && event.data.conversation_id === run.conversation_id,
})

/** `null` where the run before did not come to an answer. */
async function loadComparison(api: Reader, path: string): Promise<ResearchComparison | null> {
  try {
    return await api.get(`${path}/comparison`)
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) return null
    throw error
  }
}

const previousLine = ({ previous_id, asked_by }: ResearchRun, { space }: ViewContext): Child =>
  asked_by
    ? el('p', { class: 'dim small' }, 'Started by an external agent.')
    : previous_id &&
      el(
        'p',
        { class: 'dim small' },
        'Repeats ',
        el('a', { href: `${spaceHref(space!.slug)}/research/${previous_id}` }, 'an earlier run'),
        '.',
      )

const part = (title: string, content: Child): Child =>
  content && el('section', { class: 'research-part' }, el('h2', {}, title), content)

/** A field, so that the code of the page's title stays with the page. */
const titleField = (run: ResearchRun, { app, refresh }: ViewContext): HTMLElement =>
  el('input', {
    class: 'field research-title',
    id: 'research-title',
    maxlength: 200,
    value: run.title,
    onchange({ currentTarget }: Event) {
      const title = (currentTarget as HTMLInputElement).value.trim()
      const renamed = title && describeRun(app, run.id, { title }).then(() => refresh())
      if (renamed) void toastFailure(app, renamed)
    },
  })

function facts({ depth, cost, counts }: ResearchRun): HTMLElement {
  const parts = [
    depth,
    ...(cost.usd === null ? [] : [costText(cost.usd)]),
    `${cost.tokens.toLocaleString('en-US')} tokens`,
    `${counts.evidence} passages`,
    ...(counts.claims > 0
      ? [`${counts.supported} of ${counts.claims} claims quoted or judged supported`]
      : []),
  ]
  return el('span', { class: 'dim small' }, parts.join(' · '))
}

function buttons(run: ResearchRun, { app, refresh }: ViewContext): Child {
  const button = (label: string, act: () => Promise<unknown>) =>
    el(
      'button',
      {
        class: 'button button-small',
        type: 'button',
        onclick: () =>
          void toastFailure(
            app,
            act().then(() => refresh()),
          ),
      },
      label,
    )
  const { id, space_id, conversation_id: entity_id } = run
  const isArchived = run.archived_at !== null
  return [
    run.pending_change_id &&
      el('a', { class: 'button button-small', href: `/inbox/${run.pending_change_id}` }, 'Open draft'),
    button('Open thread', () => openConversation(app, { space_id, entity_id })),
    run.status === 'running' && button('Stop', () => stopRun(app, id)),
    run.status === 'done' && button('Run again', () => rerun(app, id)),
    button(isArchived ? 'Unarchive' : 'Archive', () => describeRun(app, id, { archived: !isArchived })),
  ]
}

const stageLine = ({ stage, status, summary }: ResearchStage, run: ResearchRun['status']): HTMLElement =>
  el(
    'li',
    {},
    el('strong', {}, stageWords[stage]),
    ` ${summary || stageStatusWords[stageStatusNow(status, run)]}`,
  )

const judgeWords = { supported: 'supported', contradicted: 'contradicted', not_enough: 'not enough' } as const

const claimLine = ({ text, verdict, cites, reasons, sentences, judge }: ResearchClaim): HTMLElement =>
  el(
    'li',
    { class: 'research-claim' },
    el('span', {}, text, ' ', verdictBadge(verdict), ` ${cites.map((n) => `[${n}]`).join(' ')}`),
    reasons.length > 0 && el('span', { class: 'dim small' }, reasons.join('; ')),
    sentences
      .filter((sentence) => sentence !== text)
      .map((sentence) => el('span', { class: 'research-quote' }, sentence)),
    judge && el('span', { class: 'dim small' }, `Judged by ${judge.model}: ${judgeWords[judge.verdict]}`),
  )

function passage(
  { n, entity_type, entity_id, title, quotes, text, untrusted, address, earlier }: ResearchEvidence,
  { space }: ViewContext,
): HTMLElement {
  const quote = quotes.find(Boolean) ?? text.slice(0, 280)
  const href = entityHref(space!.slug, entity_type, entity_id, quote)
  return el(
    'li',
    { class: 'research-claim' },
    el(
      'span',
      {},
      `[${n}] `,
      href ? el('a', { href }, title || 'Untitled') : title,
      address && [' ', externalLink(address), ' '],
      untrusted && el('span', { class: 'badge badge-amber' }, 'outside'),
      earlier && [' ', renderEarlier(earlier, space!.slug)],
    ),
    el('span', { class: 'research-quote' }, quote),
  )
}

/** The earlier answer that a passage is known from, and the section of it that cites it. */
function renderEarlier({ run_id, claims }: NonNullable<ResearchEvidence['earlier']>, slug: string): Child {
  const section = claims.find((claim) => claim.section !== '')?.section
  return el(
    'a',
    { class: 'badge', href: `${spaceHref(slug)}/research/${run_id}` },
    'earlier answer',
    section !== undefined && [': ', section],
  )
}

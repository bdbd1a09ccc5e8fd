import type { Card } from '../../../lib/contract/changes/card.ts'
import { renderMark } from '../../components/agent-mark.ts'
import { icon, kindIcon } from '../../components/icon.ts'
import { agentName, quoted } from '../../components/quoted.ts'
import { visible } from '../../components/visible.ts'
import { type Child, el } from '../../dom.ts'
import { entityHref, kindLabel } from '../../entities/addresses.ts'
import { timeAgo } from '../../time.ts'
import type { CardOptions } from '../draft/card-options.ts'
import { cardState, deciderName } from '../draft/card-state.ts'
import { renderCardBody } from './body.ts'
import { renderConflicts } from './conflicts.ts'
import { renderPayload } from './payload.ts'
import { renderProvenance } from './provenance.ts'
import { renderReply } from './reply.ts'
import { renderStale } from './stale.ts'
import { renderSuccession } from './succession.ts'

const maxReasonChars = 2000

/** Everything on a card but its actions. `notice`: a sentence above the draft; empty for none. */
export function renderCardContent(card: Card, notice: string, options: CardOptions): Child {
  const { app, now, place = 'card' } = options
  const state = cardState(card)
  const id = `${place}-fold-${card.pending_change_id}`
  const slug = app.state.get().spaces.find((space) => space.id === card.space.id)?.slug ?? null
  return [
    el(
      'header',
      { class: 'card-head' },
      el('p', { class: 'card-summary' }, visible(card.summary)),
      el('span', { class: ['badge', `badge-${state.tone}`] }, icon(state.icon), state.word),
    ),
    el('p', { class: 'card-meta' }, renderMeta(card, slug, now)),
    renderSuccession(card),
    notice !== '' && el('p', { class: 'card-notice', role: 'alert' }, notice),
    card.decided && renderDecision(card.decided, now),
    card.call && renderCall(card.call, options, `${place}-result-${card.pending_change_id}`),
    card.reply &&
      renderReply({ card, delivery: card.reply, id: `${place}-reply-${card.pending_change_id}` }, options),
    renderStale(card, now),
    card.status === 'pending' &&
      card.conflicts.length > 0 &&
      el(
        'div',
        { class: 'card-conflicts' },
        el('p', { class: 'small' }, 'Choose a version for each conflict before you approve.'),
        renderConflicts(card.conflicts, id),
      ),
    el('div', { class: 'card-body' }, renderCardBody(card, id)),
    card.note !== '' &&
      el(
        'aside',
        { class: 'card-note', 'aria-label': 'Agent’s note' },
        el('span', { class: 'card-label' }, 'Note from ', agentName(card.agent)),
        el('blockquote', { class: 'agent-words', dir: 'auto' }, visible(card.note)),
      ),
    el(
      'div',
      { class: 'card-depth' },
      renderProvenance(card, { id: `${id}-sources`, slug }),
      renderPayload(app.api, card, `${id}-payload`),
    ),
  ]
}

function renderMeta(card: Card, slug: string | null, now: Date): Child {
  const exists = card.operation === 'create' ? card.status === 'approved' : card.status !== 'obsolete'
  const isDeleted = card.operation === 'delete' && card.status === 'approved'
  const href = slug !== null && exists && !isDeleted && entityHref(slug, card.entity_type, card.entity_id)
  return [
    el(
      'span',
      { class: 'card-agent' },
      renderMark(card.agent),
      el('span', {}, 'Draft by ', agentName(card.agent)),
    ),
    el('bdi', {}, visible(card.space.name)),
    timeAgo(card.created_at, now),
    href &&
      el('a', { href }, kindIcon(card.entity_type), `Open ${kindLabel(card.entity_type).toLowerCase()}`),
  ]
}

const callStates = {
  approved: 'The call is about to be made.',
  running: 'The call is being made.',
  done: 'The call was made.',
  failed: 'The call failed.',
  unknown: 'The call was sent, and whether it took effect is unknown. It is not sent again.',
} as const

function renderCall(
  { state, error, result_id }: NonNullable<Card['call']>,
  { app }: CardOptions,
  id: string,
): HTMLElement {
  const show = async (result: string) => {
    const { showToolResult } = await import('../../actions/show-tool-result.ts')
    await showToolResult(app, result)
  }
  return el(
    'p',
    { class: 'card-decision' },
    callStates[state],
    error !== null && [' ', quoted(error, maxReasonChars)],
    result_id !== null && [
      ' ',
      el(
        'button',
        { class: 'button button-small', type: 'button', id, onclick: () => show(result_id) },
        'Show answer',
      ),
    ],
  )
}

function renderDecision({ at, by, reason }: NonNullable<Card['decided']>, now: Date): HTMLElement {
  return el(
    'p',
    { class: 'card-decision' },
    by === '' ? 'Closed ' : `Decided by ${deciderName(by)} `,
    timeAgo(at, now),
    reason && [': ', quoted(reason, maxReasonChars)],
  )
}

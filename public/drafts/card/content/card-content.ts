import type { Card } from '../../../../lib/contract/changes/card.ts'
import type { PendingChange } from '../../../../lib/contract/changes/pending-change.ts'
import { type Api, messageOf } from '../../../app/api/api.ts'
import { icon, kindIcon } from '../../../ui/components/icon.ts'
import { renderMark } from '../../../ui/components/marks.ts'
import { agentName, quoted, visible } from '../../../ui/components/visible.ts'
import { type Child, el } from '../../../ui/dom.ts'
import { timeAgo } from '../../../ui/time.ts'
import { entityHref, kindLabel } from '../../../ui/words/addresses.ts'
import { type CardOptions, cardState, deciderName } from '../draft/card-state.ts'
import { renderCardBody, renderWarnings } from './body.ts'
import { hasOutsideWords, renderProvenance } from './provenance.ts'
import { renderReply } from './reply.ts'
import { renderComparison, renderConflicts, renderStale, renderSuccession } from './stale.ts'

const maxReasonChars = 2000

/**
 * Everything on a card but its actions. `notice`: a sentence above the draft; empty for none. Decided, it is one line in
 * the rail that opens to the rest.
 */
export function renderCardContent(card: Card, notice: string, options: CardOptions): Child {
  const { now, place = 'card' } = options
  const id = `${place}-fold-${card.pending_change_id}`
  const warning = notice !== '' && el('p', { class: 'card-notice', role: 'alert' }, notice)
  const decision = card.decided && renderDecision(card.decided, now)
  const comparison = card.status === 'pending' && place !== 'rail' ? renderComparison(card) : null
  const body = el(
    'div',
    { class: 'card-body' },
    comparison
      ? // What came before the draft would stand after what came later.
        [renderWarnings(card.warnings.filter(({ code }) => code !== 'edited_lately')), comparison]
      : renderCardBody(card, id, { isBrief: place === 'rail' }),
  )
  if (isLine(card, options)) {
    return [
      el(
        'details',
        { class: 'card-line', id: `${id}-all` },
        el('summary', { class: 'card-head', id: `${id}-all-open` }, renderHead(card, options)),
        el(
          'div',
          { class: 'card-rest' },
          renderSuccession(card),
          decision,
          body,
          renderDepth(card, id, options),
        ),
      ),
      warning,
      renderEffect(card, options),
    ]
  }
  return [
    el('header', { class: 'card-head' }, renderHead(card, options)),
    renderSuccession(card),
    warning,
    decision,
    renderEffect(card, options),
    renderStale(card, now),
    card.status === 'pending' && card.conflicts.length > 0 && renderChoices(card, id),
    body,
    renderDetails(card, id, options),
  ]
}

const isLine = ({ status }: Card, { place }: CardOptions) => status !== 'pending' && place === 'rail'

/** How it went outside of Void. */
function renderEffect(card: Card, options: CardOptions): Child {
  const { pending_change_id: id, call, reply } = card
  const { place = 'card' } = options
  return [
    call && renderCall(call, options, `${place}-result-${id}`),
    reply && renderReply({ card, delivery: reply, id: `${place}-reply-${id}` }, options),
  ]
}

const renderChoices = ({ conflicts }: Card, id: string): HTMLElement =>
  el(
    'div',
    { class: 'card-conflicts' },
    el('p', { class: 'small' }, 'Choose a version for each conflict before you approve.'),
    renderConflicts(conflicts, id),
  )

function renderDetails(card: Card, id: string, options: CardOptions): HTMLElement {
  return el(
    'details',
    { class: 'card-details card-more', id: `${id}-details`, open: hasOutsideWords(card) },
    el(
      'summary',
      { class: 'card-meta', id: `${id}-details-open` },
      renderAuthor(card),
      options.place !== 'rail' && el('bdi', {}, visible(card.space.name)),
      timeAgo(card.created_at, options.now),
      el('span', { class: 'card-details-word' }, 'Details', icon('chevronDown')),
    ),
    renderDepth(card, id, options),
  )
}

// In the rail, the buttons say of a draft whether it waits or was approved.
function renderHead(card: Card, { place }: CardOptions): Child {
  const { tone, icon: name, word } = cardState(card)
  const isWaiting = card.status === 'pending' && !card.stale
  const isBrief = place === 'rail' && (isWaiting || card.status === 'approved')
  const summary = el('span', { class: 'card-summary' }, visible(card.summary))
  if (place === 'inbox' && isWaiting) return [summary, el('span', { class: 'visually-hidden' }, word)]
  return [
    summary,
    el(
      'span',
      { class: ['badge', `badge-${tone}`, isBrief && 'card-badge-brief'] },
      icon(name),
      isBrief ? el('span', { class: 'visually-hidden' }, word) : word,
    ),
  ]
}

const renderAuthor = ({ agent }: Card): HTMLElement =>
  el('span', { class: 'card-agent' }, renderMark(agent), el('span', {}, 'Draft by ', agentName(agent)))

/** Why it was drafted, from what, and the payload itself. */
function renderDepth(card: Card, id: string, options: CardOptions): HTMLElement {
  const { app, now } = options
  const slug = app.state.get().spaces.find((space) => space.id === card.space.id)?.slug ?? null
  const link = renderLink(card, slug)
  const author = isLine(card, options) && [renderAuthor(card), timeAgo(card.created_at, now)]
  return el(
    'div',
    { class: 'card-depth' },
    (author || link) && el('p', { class: 'card-meta' }, author, link),
    card.note !== '' &&
      el(
        'aside',
        { class: 'card-note', 'aria-label': 'Reason' },
        el('span', { class: 'card-label' }, 'Note from ', agentName(card.agent)),
        el('blockquote', { class: 'agent-words', dir: 'auto' }, visible(card.note)),
      ),
    card.status === 'pending' && renderDefaults(card),
    renderProvenance(card, { id: `${id}-sources`, slug }),
    renderPayload(app.api, card, `${id}-payload`),
  )
}

/** What a new one gets besides, as the draft says nothing of it. */
function renderDefaults({ defaults }: Card): Child {
  return (
    defaults.length > 0 &&
    el(
      'dl',
      { class: 'card-fields card-defaults', 'aria-label': 'Defaults' },
      defaults.map(({ label, words }) =>
        el('div', { class: 'card-default' }, el('dt', {}, label), el('dd', {}, visible(words))),
      ),
    )
  )
}

function renderLink(card: Card, slug: string | null): Child {
  const exists = card.operation === 'create' ? card.status === 'approved' : card.status !== 'obsolete'
  const isDeleted = card.operation === 'delete' && card.status === 'approved'
  const href = slug !== null && exists && !isDeleted && entityHref(slug, card.entity_type, card.entity_id)
  return (
    href && el('a', { href }, kindIcon(card.entity_type), `Open ${kindLabel(card.entity_type).toLowerCase()}`)
  )
}

const callStates = {
  approved: 'The call is about to be made.',
  running: 'The call is being made.',
  done: 'The call was made.',
  failed: 'The call failed.',
  unknown: 'The call was sent; whether it took effect is unknown. It will not be sent again.',
} as const

function renderCall(
  { state, error, result_id }: NonNullable<Card['call']>,
  { app }: CardOptions,
  id: string,
): HTMLElement {
  const show = async (result: string) => {
    const { showToolResult } = await import('../../../app/actions/show-tool-result.ts')
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

/** The stored payload, loaded when it is opened, with the hash that the decision names. */
function renderPayload(api: Pick<Api, 'get'>, card: Card, id: string): HTMLElement {
  const place = el('div', { class: 'card-payload' })
  return el(
    'details',
    { class: 'card-more', id, ontoggle: load },
    el('summary', {}, 'Raw change (JSON)'),
    place,
  )

  async function load(): Promise<void> {
    if (place.childElementCount > 0) return
    try {
      const { payload, payload_sha256 } = await api.get<PendingChange>(
        `/api/pending-changes/${card.pending_change_id}`,
      )
      place.replaceChildren(
        el('p', { class: 'mono small dim' }, `SHA-256 ${payload_sha256}`),
        el('pre', { tabindex: 0, 'aria-label': 'Raw change' }, visible(JSON.stringify(payload, null, 2))),
      )
    } catch (error) {
      place.replaceChildren(el('p', { class: 'problem' }, messageOf(error)))
    }
  }
}

// The card of a draft: the same in the companion's rail and in the Inbox. It follows its draft by itself, so that what
// is decided in one place is settled in all of them, in every tab.

import type { Card, PendingChange } from '../../lib/contract/card.ts'
import type { LiveEvent } from '../../lib/contract/live.ts'
import { entityHref, isKind, kindLabel, kindNames } from '../addresses.ts'
import { messageOf } from '../api.ts'
import type { App } from '../app.ts'
import { type Child, el } from '../dom.ts'
import { keepDraft } from '../drafts.ts'
import { timeAgo } from '../time.ts'
import { renderActions } from './card-actions.ts'
import { renderCardBody } from './card-body.ts'
import { type Choice, decide } from './card-decide.ts'
import { renderStale } from './card-stale.ts'
import { cardState, deciderName } from './card-words.ts'
import { icon, kindIcon } from './icon.ts'
import { visible } from './visible.ts'

export type CardOptions = {
  app: App
  /** Ends the card's listening. */
  signal: AbortSignal
  now: Date
  /** Where it stands: begins the ids in it, since the same card may be on the page twice. */
  place?: string
  /** Told when the owner has decided here, not elsewhere. */
  onDecided?: (card: Card) => void
}

export function renderCard(card: Card, options: CardOptions): HTMLElement {
  const { app, signal, place = 'card' } = options
  let shown = card
  let notice = ''
  let asked = 0
  const element = el('article', {
    class: 'card',
    id: `${place}-${card.pending_change_id}`,
    tabindex: -1,
    'aria-label': card.summary,
  })
  draw()
  app.live.on((event) => {
    if (concerns(event, shown)) reload()
  }, signal)
  return element

  function draw(): void {
    const state = cardState(shown)
    element.setAttribute('data-tone', state.tone)
    element.setAttribute('data-status', shown.status)
    const actions = shown.status === 'pending' && renderActions(shown, { place, onChoice: settle })
    element.replaceChildren(
      ...[...renderContent(shown, notice, options), actions].filter((node) => node !== false),
    )
  }

  function redraw(next: Card, sentence = ''): void {
    const hadFocus = element.contains(document.activeElement)
    shown = next
    notice = sentence
    draw()
    if (hadFocus) element.focus({ preventScroll: true })
  }

  async function settle(choice: Choice): Promise<void> {
    element.toggleAttribute('aria-busy', true)
    const outcome = await decide(app.api, shown, choice)
    element.removeAttribute('aria-busy')
    if (!outcome.done) {
      app.announce(outcome.message)
      if (outcome.moved) return await reload(outcome.message)
      return redraw(shown, outcome.message)
    }
    keepDraft(`reject:${shown.pending_change_id}`).write('')
    redraw(settled(shown, outcome.change))
    app.announce(`${cardState(shown).word}: ${shown.summary}`)
    if (choice.approve && shown.operation === 'delete') offerRestore(app, shown)
    options.onDecided?.(shown)
  }

  async function reload(sentence = ''): Promise<void> {
    const request = ++asked
    try {
      const path = `/api/pending-changes/${shown.pending_change_id}`
      const { card: fresh } = await app.api.get<{ card: Card }>(path, { signal })
      if (request === asked && !signal.aborted) redraw(fresh, sentence)
    } catch (error) {
      // Without a sentence this was a quiet look after a live event; the next one looks again.
      if (sentence && !signal.aborted) redraw(shown, `${sentence} ${messageOf(error)}`)
    }
  }
}

const settled = (card: Card, { status, decided_at, decided_by, decision }: PendingChange): Card => ({
  ...card,
  status,
  stale: null,
  decided:
    decided_at === null ? null : { at: decided_at, by: decided_by ?? '', reason: decision?.reason ?? null },
})

function concerns(event: LiveEvent, card: Card): boolean {
  if (event.type === 'change') {
    return event.data.id === card.pending_change_id && event.data.status !== card.status
  }
  if (card.status !== 'pending') return false
  if (event.type === 'hello') return !event.data.resumed
  return event.type === 'entity' && event.data.id === card.entity_id
}

function renderContent(card: Card, notice: string, options: CardOptions): HTMLElement[] {
  const { now, place = 'card' } = options
  const state = cardState(card)
  const parts: (HTMLElement | null | false)[] = [
    el(
      'header',
      { class: 'card-head' },
      el('p', { class: 'card-summary' }, visible(card.summary)),
      el('span', { class: ['badge', `badge-${state.tone}`] }, icon(state.icon), state.word),
    ),
    el('p', { class: 'card-meta' }, renderMeta(card, options)),
    notice !== '' && el('p', { class: 'card-notice', role: 'alert' }, notice),
    card.decided && renderDecision(card.decided, now),
    renderStale(card, options),
    el(
      'div',
      { class: 'card-body' },
      renderCardBody(card, { now, id: `${place}-fold-${card.pending_change_id}` }),
    ),
    card.note !== '' &&
      el(
        'aside',
        { class: 'card-note', 'aria-label': 'Agent’s note' },
        el('span', { class: 'card-label' }, 'Agent’s note'),
        el('p', { dir: 'auto' }, visible(card.note)),
      ),
  ]
  return parts.filter((part) => part !== null && part !== false)
}

function renderMeta(card: Card, { app, now }: CardOptions): Child {
  const space = app.state.get().spaces.find(({ id }) => id === card.space.id)
  const exists = card.operation === 'create' ? card.status === 'approved' : card.status !== 'obsolete'
  const gone = card.operation === 'delete' && card.status === 'approved'
  const href = space && exists && !gone && entityHref(space.slug, card.entity_type, card.entity_id)
  return [
    el('span', {}, visible(card.agent.name)),
    el('span', {}, visible(card.space.name)),
    timeAgo(card.created_at, now),
    href &&
      el('a', { href }, kindIcon(card.entity_type), `Open the ${kindLabel(card.entity_type).toLowerCase()}`),
  ]
}

function renderDecision({ at, by, reason }: NonNullable<Card['decided']>, now: Date): HTMLElement {
  return el(
    'p',
    { class: 'card-decision' },
    by === '' ? 'Closed ' : `Decided by ${deciderName(by)} `,
    timeAgo(at, now),
    reason && [': ', el('q', { dir: 'auto' }, visible(reason))],
  )
}

function offerRestore({ api, toast }: App, { entity_type, entity_id, title }: Card): void {
  if (!isKind(entity_type)) return
  const path = `/api/${kindNames[entity_type].path}/${entity_id}/restore`
  const run = async () => {
    try {
      await api.post(path)
      toast(`“${title}” is back.`)
    } catch (error) {
      toast(messageOf(error), { tone: 'problem' })
    }
  }
  toast(`“${title}” is in the trash.`, { action: { label: 'Undo', run } })
}

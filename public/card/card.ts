// The card of a draft: the same in the companion's rail and in the Inbox. It follows its draft by itself, so that what
// is decided in one place is settled in all of them, in every tab.

import type { Card, PendingChange } from '../../lib/contract/card.ts'
import type { LiveEvent } from '../../lib/contract/live.ts'
import { entityHref, kindLabel } from '../addresses.ts'
import { messageOf } from '../api.ts'
import type { App } from '../app.ts'
import { icon, kindIcon } from '../components/icon.ts'
import { visible } from '../components/visible.ts'
import { type Child, el, flatten } from '../dom.ts'
import { keepDraft } from '../drafts.ts'
import { timeAgo } from '../time.ts'
import { renderActions } from './actions.ts'
import { offerUndo, renderAfter } from './after.ts'
import { askAbout } from './ask.ts'
import { renderCardBody } from './body.ts'
import { renderConflicts } from './conflicts.ts'
import { type Choice, decide, draftAgain, type Outcome } from './decide.ts'
import { renderPayload } from './payload.ts'
import { renderProvenance } from './provenance.ts'
import { renderStale } from './stale.ts'
import { renderSuccession } from './succession.ts'
import { tellShown } from './tell-shown.ts'
import { cardState, deciderName } from './words.ts'

export type CardOptions = {
  app: App
  /** Ends the card's listening. */
  signal: AbortSignal
  now: Date
  /** Where it stands: begins the ids in it, since the same card may be on the page twice. */
  place?: string
  /** Told when the owner has decided here, not elsewhere. */
  onDecided?: (card: Card) => void
  /** Told when another draft took this one's place here. Left out: the card shows that one. */
  onReplaced?: (id: string) => void
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
  tellShown(element, card, options)
  app.live.on((event) => {
    if (concerns(event, shown)) reload()
  }, signal)
  return element

  function draw(): void {
    const state = cardState(shown)
    element.setAttribute('data-tone', state.tone)
    element.setAttribute('data-status', shown.status)
    element.replaceChildren(...flatten([renderContent(shown, notice, options), actions()]))
  }

  function actions(): Child {
    if (shown.status !== 'pending') return renderAfter(shown, options)
    return renderActions(shown, {
      place,
      card: element,
      onChoice: settle,
      onEdit: edit,
      onAsk: (words) => askAbout(app, shown, words),
      onPreview: preview,
      onAgain: again,
    })
  }

  function redraw(next: Card, sentence = ''): void {
    const hadFocus = element.contains(document.activeElement)
    shown = next
    notice = sentence
    element.removeAttribute('data-choosing')
    draw()
    if (hadFocus) element.focus({ preventScroll: true })
  }

  async function settle(choice: Choice): Promise<void> {
    const outcome = await busy(() => decide(app.api, shown, choice))
    if (!outcome.done) return await refused(outcome)
    keepDraft(`reject:${shown.pending_change_id}`).write('')
    redraw(settled(shown, outcome.change))
    app.announce(`${cardState(shown).word}: ${shown.summary}`)
    if (choice.approve) offerUndo(app, shown)
    options.onDecided?.(shown)
  }

  /** A new draft took this one's place: that is what is looked at next. */
  async function again(how: 'review-again' | 'as-new-page'): Promise<void> {
    const outcome = await busy(() => draftAgain(app.api, shown, how))
    if (!outcome.done) return await refused(outcome)
    if (options.onReplaced) return options.onReplaced(outcome.change.id)
    element.id = `${place}-${outcome.change.id}`
    shown = { ...shown, pending_change_id: outcome.change.id }
    await reload('A new draft: look at it as it would be now.')
  }

  async function edit(): Promise<void> {
    const { renderEdit } = await import('./edit.ts')
    const back = () => redraw(shown)
    const form = await renderEdit(app.api, shown, {
      place,
      onSave: (edited) => settle({ approve: true, edited }),
      onCancel: back,
    })
    element.querySelector('.card-body')?.replaceChildren(form)
    element.querySelector('.card-actions')?.remove()
    form.querySelector<HTMLElement>('input, textarea, select')?.focus()
  }

  async function preview(): Promise<void> {
    const { showPreview } = await import('./preview.ts')
    await showPreview(app, `/api/pending-changes/${shown.pending_change_id}/preview`, shown.space.id)
  }

  async function busy(work: () => Promise<Outcome>): Promise<Outcome> {
    element.toggleAttribute('aria-busy', true)
    const outcome = await work()
    element.removeAttribute('aria-busy')
    return outcome
  }

  async function refused({ message, moved }: Extract<Outcome, { done: false }>): Promise<void> {
    app.announce(message)
    if (moved) await reload(message)
    else redraw(shown, message)
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

const settled = (card: Card, change: PendingChange): Card => ({
  ...card,
  pending_change_id: change.id,
  status: change.status,
  derivation: change.derivation,
  supersedes: change.supersedes,
  superseded_by: change.superseded_by,
  stale: null,
  decided:
    change.decided_at === null
      ? null
      : { at: change.decided_at, by: change.decided_by ?? '', reason: change.decision?.reason ?? null },
})

function concerns(event: LiveEvent, card: Card): boolean {
  if (event.type === 'change') {
    const { id, status, undone } = event.data
    if (id !== card.pending_change_id) return false
    return status !== card.status || (undone !== undefined && undone !== (card.undone !== null))
  }
  if (card.status !== 'pending') return false
  if (event.type === 'hello') return !event.data.resumed
  return event.type === 'entity' && event.data.id === card.entity_id
}

function renderContent(card: Card, notice: string, options: CardOptions): Child {
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
    el('p', { class: 'card-meta' }, renderMeta(card, options)),
    renderSuccession(card),
    notice !== '' && el('p', { class: 'card-notice', role: 'alert' }, notice),
    card.decided && renderDecision(card.decided, now),
    renderStale(card, now),
    card.status === 'pending' &&
      card.conflicts.length > 0 &&
      el(
        'div',
        { class: 'card-conflicts' },
        el('p', { class: 'small' }, 'Choose a side for each place before you approve.'),
        renderConflicts(card.conflicts, id),
      ),
    el('div', { class: 'card-body' }, renderCardBody(card, id)),
    card.note !== '' &&
      el(
        'aside',
        { class: 'card-note', 'aria-label': 'Agent’s note' },
        el('span', { class: 'card-label' }, 'Agent’s note'),
        el('p', { dir: 'auto' }, visible(card.note)),
      ),
    el(
      'div',
      { class: 'card-depth' },
      renderProvenance(card, { id: `${id}-sources`, slug }),
      renderPayload(app.api, card, `${id}-payload`),
    ),
  ]
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

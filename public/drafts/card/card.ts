// The card of a draft, in the companion's rail and in the Inbox. It follows live events, so a decision made in one place
// shows in all of them, in every tab.

import type { Card } from '../../../lib/contract/changes/card.ts'
import type { LiveEvent } from '../../../lib/contract/events/live.ts'
import { messageOf } from '../../app/api/api.ts'
import { el, flatten } from '../../ui/dom.ts'
import { rerender } from '../../ui/rerender.ts'
import { createActionHandlers, resumeSelecting } from './actions/action-handlers.ts'
import { renderActions } from './actions/actions.ts'
import { renderClosed } from './actions/closed.ts'
import { renderMemoryLine } from './actions/memory-line.ts'
import { renderCardContent } from './content/card-content.ts'
import type { CardOptions } from './draft/card-state.ts'
import { reportShown } from './draft/decide.ts'
import { isEffect } from './draft/parts.ts'

export function renderCard(card: Card, options: CardOptions): HTMLElement {
  const { app, signal, place = 'card' } = options
  let current = card
  let notice = ''
  let requests = 0
  /** Live events that the card shown may be older than. */
  let unheeded: LiveEvent[] = []
  const element = el('article', {
    class: 'card',
    tabindex: -1,
    'aria-label': card.summary,
    'data-place': place,
    'data-unsent': '',
    onrestored: () => resumeSelecting(current, element),
  })
  const handlers = createActionHandlers({ element, current: () => current, show, reload }, options)
  element.replaceChildren(...draw())
  reportShown(element, card, options)
  app.live.on((event) => {
    if (!concerns(event, current)) return
    unheeded.push(event)
    // The response to a decision may be older than what is loaded meanwhile, so it is loaded after that.
    if (!element.hasAttribute('aria-busy')) reload()
  }, signal)
  return element

  function draw(): (Node | string)[] {
    element.setAttribute('id', `${place}-${current.pending_change_id}`)
    element.setAttribute('data-status', current.status)
    const line = place === 'rail' && renderMemoryLine(current, { place, ...handlers })
    if (line) return flatten([notice && el('p', { class: 'problem small', role: 'alert' }, notice), line])
    const actions =
      current.status === 'pending'
        ? renderActions(current, { place, card: element, ...handlers })
        : renderClosed(current, options)
    return flatten([renderCardContent(current, notice, options), actions])
  }

  function show(next: Card, sentence = ''): void {
    // A response that is still on its way is older than this card.
    requests += 1
    const hadFocus = element.contains(document.activeElement)
    current = next
    notice = sentence
    element.removeAttribute('data-choosing')
    rerender(element, draw())
    if (hadFocus && !element.contains(document.activeElement)) element.focus({ preventScroll: true })
    unheeded = unheeded.filter((event) => concerns(event, current))
    if (unheeded.length > 0) reload(sentence)
  }

  async function reload(sentence = ''): Promise<void> {
    const request = ++requests
    const heeded = [...unheeded]
    const settle = (next: Card, words: string) => {
      if (request !== requests || signal.aborted) return
      unheeded = unheeded.filter((event) => !heeded.includes(event))
      show(next, words)
    }
    try {
      const path = `/api/pending-changes/${current.pending_change_id}`
      const { card: fresh } = await app.api.get<{ card: Card }>(path, { signal })
      settle(fresh, sentence)
    } catch (error) {
      // Without a sentence it was a live event that caused the request: the next one loads it again.
      if (sentence) settle(current, `${sentence} ${messageOf(error)}`)
    }
  }
}

function concerns(event: LiveEvent, card: Card): boolean {
  if (event.type === 'change') {
    const { id, status, undone } = event.data
    if (id !== card.pending_change_id) return false
    // What it did outside of Void ends after it was approved.
    if (status !== card.status || isEffect(card)) return true
    return undone !== undefined && undone !== (card.undone !== null)
  }
  if (card.status !== 'pending') return false
  if (event.type === 'hello') return !event.data.resumed
  return event.type === 'entity' && event.data.id === card.entity_id
}

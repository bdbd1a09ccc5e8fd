// Messages that wait while another one is answered: said, shown above the composer, changed, taken back. Loaded when
// there is one.

import type { CompanionState, QueuedMessage } from '../../lib/contract/companion.ts'
import { ApiError, messageOf } from '../api.ts'
import type { App } from '../app.ts'
import { icon } from '../components/icon.ts'
import { el } from '../dom.ts'
import { readEvents } from '../sse.ts'
import type { Subject } from '../view.ts'
import type { ConversationPart } from './conversation.ts'
import { newKey } from './new-key.ts'
import { openDesk } from './open-desk.ts'

export type QueueContext = { app: App; spaceId: string; part: ConversationPart }

/** Says something that waits for its turn. Rejects when the server does not take it. */
export async function enqueue(context: QueueContext, text: string, subject: Subject | null): Promise<void> {
  const { app, spaceId, part } = context
  const view = subject && { entityType: subject.entityType, entityId: subject.entityId }
  const { conversation_id } = part.state.get()
  const reading = new AbortController()
  const response = await app.api.fetch(`/api/spaces/${spaceId}/companion/turn`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': newKey() },
    body: JSON.stringify({ text, view, desk: openDesk(app, subject), conversation_id, queue: true }),
    signal: reading.signal,
  })
  // Its first event says that it is stored; its answer is read when its turn comes.
  for await (const _ of readEvents(response.body!)) break
  reading.abort()
  await refreshQueue(context)
}

/** Asks again what waits. */
export async function refreshQueue({ app, spaceId, part }: QueueContext): Promise<void> {
  const fresh = await app.api
    .get<CompanionState>(`/api/spaces/${spaceId}/companion?limit=1`)
    .catch(() => null)
  if (fresh && fresh.conversation_id === part.state.get().conversation_id)
    part.state.set({ queued: fresh.queued })
}

/** The list of what waits; empty when nothing does. */
export function drawQueue(context: QueueContext, place: HTMLElement): void {
  const { queued } = context.part.state.get()
  // A message that is being changed is not drawn anew under the hands.
  if (place.querySelector('textarea')) return
  place.replaceChildren(
    ...(queued.length === 0
      ? []
      : [
          el(
            'ul',
            { class: 'queue', 'aria-label': 'Messages that wait' },
            queued.map((message) => drawMessage(context, place, message)),
          ),
        ]),
  )
}

function drawMessage(context: QueueContext, place: HTMLElement, message: QueuedMessage): HTMLElement {
  const button = (label: string, name: 'edit' | 'close', onclick: () => void) =>
    el(
      'button',
      { class: 'icon-button', type: 'button', title: label, 'aria-label': label, onclick },
      icon(name),
    )
  const item = el(
    'li',
    { class: 'queue-item' },
    el('span', { class: 'queue-text', title: message.text }, message.text),
    button('Change this message', 'edit', () => edit(context, { place, item, message })),
    button('Take this message back', 'close', () =>
      change(context, () => context.app.api.delete(`/api/turns/${message.turn_id}`)),
    ),
  )
  return item
}

type Editing = { place: HTMLElement; item: HTMLElement; message: QueuedMessage }

function edit(context: QueueContext, { place, item, message }: Editing): void {
  const field = el('textarea', { class: 'queue-field', 'aria-label': 'Message', rows: 3 })
  field.value = message.text
  const close = () => {
    item.remove()
    drawQueue(context, place)
    document.querySelector<HTMLElement>('#composer')?.focus()
  }
  const save = async (event?: Event) => {
    event?.preventDefault()
    const text = field.value.trim()
    if (text === '') return
    await change(context, () => context.app.api.patch(`/api/turns/${message.turn_id}`, { text }))
    close()
  }
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && !event.shiftKey) save(event)
    if (event.key !== 'Escape') return
    event.stopPropagation()
    close()
  })
  item.replaceChildren(
    el(
      'form',
      { class: 'queue-form', onsubmit: save },
      field,
      el('button', { class: 'button button-small', type: 'submit' }, 'Save'),
      el('button', { class: 'button button-small button-quiet', type: 'button', onclick: close }, 'Cancel'),
    ),
  )
  field.focus()
}

/** One whose turn has come meanwhile cannot be changed any more; that is said, and the list is brought up to date. */
async function change(context: QueueContext, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const late = error instanceof ApiError && error.code === 'not_queued'
    context.app.toast(late ? 'Its turn has come already.' : messageOf(error), { tone: 'problem' })
  }
  await refreshQueue(context)
}

// Messages that are queued while another one is answered: sent, shown above the composer, edited, deleted. Loaded when
// there is one.

import type { CompanionState, QueuedMessage } from '../../../lib/contract/companion/companion.ts'
import { ApiError, messageOf } from '../../app/api/api.ts'
import { readEvents } from '../../app/api/live.ts'
import type { Subject } from '../../app/app.ts'
import { icon } from '../../ui/components/icon.ts'
import { el } from '../../ui/dom.ts'
import type { RailDesk, ThreadContext } from '../state/conversation-part.ts'
import { otherMentions } from './mention.ts'
import { messageRequest } from './message-request.ts'

/** Sends a message to the queue. Rejects when the server refuses it. */
export async function enqueue(
  context: ThreadContext,
  desk: RailDesk,
  { body: mentions, ...message }: { text: string; subject: Subject | null; body?: Record<string, unknown> },
): Promise<void> {
  const { conversation_id } = context.part.state.get()
  const reading = new AbortController()
  const body = { conversation_id, queue: true, ...mentions }
  const request = messageRequest({ ...context, desk }, { ...message, body })
  const response = await request(reading.signal)
  // The first event confirms that it is stored; its answer is read once its turn starts.
  for await (const _ of readEvents(response.body!)) break
  reading.abort()
  await refreshQueue(context)
}

export async function refreshQueue({ app, spaceId, part }: ThreadContext): Promise<void> {
  const fresh = await app.api
    .get<CompanionState>(`/api/spaces/${spaceId}/companion?limit=1`)
    .catch(() => null)
  if (fresh && fresh.conversation_id === part.state.get().conversation_id)
    part.state.set({ queued: fresh.queued })
}

/** Draws the list of queued messages; nothing when there are none. */
export function drawQueue(context: ThreadContext, place: HTMLElement): void {
  const { queued } = context.part.state.get()
  // A message that is being edited stays.
  if (place.querySelector('textarea')) return
  place.replaceChildren(
    ...(queued.length === 0
      ? []
      : [
          el(
            'ul',
            { class: 'queue', 'aria-label': 'Queued messages' },
            queued.map((message) => drawMessage(context, place, message)),
          ),
        ]),
  )
}

function drawMessage(context: ThreadContext, place: HTMLElement, message: QueuedMessage): HTMLElement {
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
    button('Edit message', 'edit', () => edit(context, { place, item, message })),
    button('Delete message', 'close', () =>
      change(context, () => context.app.api.delete(`/api/turns/${message.turn_id}`)),
    ),
  )
  return item
}

type Editing = { place: HTMLElement; item: HTMLElement; message: QueuedMessage }

function edit(context: ThreadContext, { place, item, message }: Editing): void {
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
    const body = { text, ...otherMentions(context.spaceId, message.mentions, text) }
    await change(context, () => context.app.api.patch(`/api/turns/${message.turn_id}`, body))
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

/** A message that is being answered by now cannot be changed any more. */
async function change(context: ThreadContext, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const late = error instanceof ApiError && error.code === 'not_queued'
    context.app.toast(
      late ? 'This message is already being answered, so it can no longer be changed.' : messageOf(error),
      { tone: 'problem' },
    )
  }
  await refreshQueue(context)
}

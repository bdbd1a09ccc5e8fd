// What the rail does when a message was routed, loaded when it first happens: a line that says which thread the message
// went to, with a way to undo it.

import type { Conversation, LastRouting } from '../../../lib/contract/companion/companion.ts'
import type { RoutedSpace } from '../../../lib/contract/events/events.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { toastFailure } from '../../app/actions/toast-failure.ts'
import { messageOf } from '../../app/api/api.ts'
import { keyCaps } from '../../ui/components/key-caps.ts'
import { el } from '../../ui/dom.ts'
import { withQuery } from '../../ui/words/addresses.ts'
import type { ConversationPart, ThreadContext } from '../state/conversation-part.ts'

export type RoutingContext = ThreadContext & { signal: AbortSignal }

const undoKey = 'Mod+u'

/**
 * Says above the composer where a turn went, until the next one, if that is not where it was written; a key moves
 * it back, and one that stayed to a thread of its own. `from`: the thread that was shown until now; without it the turn
 * is one of before this page was loaded, of which only the key is left.
 */
export function showRouting(context: RoutingContext, routing: LastRouting, from?: string): void {
  const { state } = context.part
  if (routing.space) {
    enterRoutedSpace(context, routing, routing.space)
    return
  }
  if (from !== undefined && from !== state.get().conversation_id) showRoutedThread(context, routing)
  if (routing.by === 'obvious') return
  if (document.querySelector(`[data-decision="${routing.decision_id}"]`)) return

  const gone = new AbortController()
  const within = AbortSignal.any([gone.signal, context.signal])
  const isQuiet = from === undefined || routing.routed === 'latest'
  const notice = renderNotice({ ...context, signal: within }, routing, isQuiet)
  document.querySelector('.routed')?.remove()
  document.querySelector('.composer')?.before(notice)
  state.watch(
    ({ turns }) => turns.at(-1)?.key,
    () => {
      notice.remove()
      gone.abort()
    },
    gone.signal,
  )
}

/** Opens the Space that a message was routed to, whose rail goes on with the thread there. */
function enterRoutedSpace(
  { app, spaceId, part }: RoutingContext,
  { turn_id, title }: LastRouting,
  { slug, name }: RoutedSpace,
): void {
  const here = app.state.get().spaces.find(({ id }) => id === spaceId)
  part.state.set(({ turns }) => ({ turns: turns.filter(({ id }) => id !== turn_id) }))
  toastFailure(app, app.navigate(withQuery(`/s/${slug}`, { turn: turn_id })))
  const words = `Continued in ${quoteShown(title || 'Untitled thread')}, in the Space ${quoteShown(name)}.`
  app.toast(
    words,
    here && { action: { label: `Back to ${here.name}`, run: () => app.navigate(`/s/${here.slug}`) } },
  )
}

function renderNotice(context: RoutingContext, routing: LastRouting, isQuiet: boolean): HTMLElement {
  const { app, part, signal } = context
  const text = el('p', { class: 'routed-words' }, noticeText(routing))
  const isLatest = routing.routed === 'latest'
  const back = el(
    'button',
    { class: 'button button-small button-quiet', type: 'button', onclick: () => undo() },
    isLatest ? 'Move to new thread' : 'Undo',
    keyCaps(undoKey),
  )
  const other = el(
    'button',
    { class: 'button button-small button-quiet', type: 'button', onclick: choose },
    'Other thread…',
  )
  const label = isLatest ? 'Move last message to a new thread' : 'Undo move to another thread'
  app.keys.add([{ key: undoKey, label, group: 'Companion', inFields: true, run: () => undo() }], signal)
  const notice = el(
    'div',
    { class: 'routed', role: 'status', hidden: isQuiet, 'data-decision': routing.decision_id },
    text,
    back,
    other,
  )
  return notice

  async function choose(): Promise<void> {
    const { showThreads } = await import('./threads-dialog.ts')
    showThreads(context, undo)
  }

  async function undo(to?: string): Promise<void> {
    if (back.disabled) return
    notice.hidden = false
    setDisabled(true)
    if (part.state.get().running) text.textContent = 'Moves when the answer is finished.'
    try {
      await answerEnd(part, signal)
      await moveTurn(context, routing, to)
    } catch (error) {
      app.toast(messageOf(error), { tone: 'problem' })
      text.textContent = noticeText(routing)
      setDisabled(false)
    }
  }

  function setDisabled(disabled: boolean): void {
    back.disabled = disabled
    other.disabled = disabled
  }
}

/** Moves the turn back, or to the thread with that id. */
async function moveTurn({ app, part }: ThreadContext, { decision_id }: LastRouting, to?: string) {
  const path = `/api/routing-decisions/${decision_id}/undo`
  const { conversation } = await app.api.post<{ conversation: Conversation }>(path, to ? { to } : {})
  await part.reload()
  app.toast(`Moved the message and its answer to ${quoteShown(conversation.title)}.`)
}

const noticeText = ({ routed, title }: LastRouting) =>
  routed === 'new' ? 'Started a new thread' : `Continued in ${quoteShown(title || 'Untitled thread')}`

/** Resolves once no answer is running. */
function answerEnd({ state }: ConversationPart, signal: AbortSignal): Promise<void> {
  if (!state.get().running) return Promise.resolve()
  const ended = new AbortController()
  return new Promise((resolve) => {
    const onRunning = (running: string | null) => {
      if (running) return
      ended.abort()
      resolve()
    }
    state.watch(({ running }) => running, onRunning, AbortSignal.any([ended.signal, signal]))
  })
}

/** Shows the thread that a turn was routed to: the turn itself at once, those before it when they are loaded. */
function showRoutedThread({ app, part }: ThreadContext, { turn_id, routed, title }: LastRouting): void {
  const isNew = routed === 'new'
  part.state.set(({ turns, title: currentTitle }) => {
    const own = turns.filter(({ id }) => id === turn_id)
    return { turns: own, more: !isNew, title: title || own[0]?.question?.text.slice(0, 80) || currentTitle }
  })
  if (!isNew) toastFailure(app, part.loadOlder())
}

/** Shows the thread's new title or other versions; another thread when this one was archived or deleted. */
export async function refreshThread(
  { app, spaceId, part }: ThreadContext,
  { state, rearranged }: { state: 'active' | 'archived' | 'deleted'; rearranged?: true | undefined },
): Promise<void> {
  if (state !== 'active' || rearranged) return await part.reload()
  const { conversation_id } = part.state.get()
  const path = `/api/spaces/${spaceId}/conversations/${conversation_id}`
  const thread = await app.api.get<Conversation>(path).catch(() => null)
  if (thread && part.state.get().conversation_id === conversation_id) part.state.set({ title: thread.title })
}

// What the rail does about routing, fetched when it first happens: the line that says where a message went, with the
// way back, and the thread that it went to.

import type { Conversation, LastRouting } from '../../lib/contract/companion.ts'
import { messageOf } from '../api.ts'
import type { App } from '../app.ts'
import { icon } from '../components/icon.ts'
import { keyCaps } from '../components/key-caps.ts'
import { el } from '../dom.ts'
import type { ConversationPart } from './conversation.ts'
import { listMessages } from './load-older.ts'
import { toTurns } from './turn-state.ts'

export type RailDeps = { app: App; spaceId: string; part: ConversationPart; signal: AbortSignal }

const undoKey = 'Mod+u'

/**
 * Says where the last turn was put, above the composer, until the next one. What was obvious is not spoken of. With
 * `from`, the thread that was shown until now, the log turns to the one that the turn went to.
 */
export function showRouting(deps: RailDeps, how: LastRouting, from?: string): void {
  const { state } = deps.part
  if (from !== undefined && from !== state.get().conversation_id) turnTo(deps, how)
  if (how.by === 'obvious' || document.querySelector(`[data-decision="${how.decision_id}"]`)) return

  const gone = new AbortController()
  const notice = renderNotice(deps, how, AbortSignal.any([gone.signal, deps.signal]))
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

/** Shows the thread's new title; another thread when this one was put away or deleted. */
export async function refreshThread(
  { app, spaceId, part }: Omit<RailDeps, 'signal'>,
  now: 'active' | 'archived' | 'deleted',
): Promise<void> {
  if (now !== 'active') return await part.reload()
  const { conversation_id } = part.state.get()
  const path = `/api/spaces/${spaceId}/conversations/${conversation_id}`
  const thread = await app.api.get<Conversation>(path).catch(() => null)
  if (thread && part.state.get().conversation_id === conversation_id) part.state.set({ title: thread.title })
}

async function turnTo({ app, part }: RailDeps, { turn_id, routed, title }: LastRouting): Promise<void> {
  const { state } = part
  const { conversation_id } = state.get()
  state.set(({ turns, title: shown }) => {
    const own = turns.filter(({ id }) => id === turn_id)
    return { turns: own, more: false, title: title || own[0]?.question?.text.slice(0, 80) || shown }
  })
  if (routed === 'new') return
  const { items, cards, next_cursor } = await listMessages(app.api, conversation_id)
  if (state.get().conversation_id !== conversation_id) return
  const earlier = toTurns(items, cards).filter(({ id }) => id !== turn_id)
  state.set(({ turns }) => ({ turns: [...earlier, ...turns], more: next_cursor !== null }))
}

function renderNotice(deps: RailDeps, how: LastRouting, signal: AbortSignal): HTMLElement {
  const { app, spaceId, part } = deps
  const said = el('p', { class: 'routed-words' }, wordsFor(how))
  const back = el(
    'button',
    { class: 'button button-small', type: 'button', onclick: () => undo() },
    how.routed === 'latest' ? 'New thread instead' : 'Undo',
    keyCaps(undoKey),
  )
  const elsewhere = el(
    'button',
    { class: 'button button-small button-quiet', type: 'button', onclick: choose },
    'Other thread …',
  )
  const label =
    how.routed === 'latest' ? 'Move the last message to a new thread' : 'Undo the change of thread'
  app.keys.add([{ key: undoKey, label, group: 'Companion', inFields: true, run: () => undo() }], signal)
  return el(
    'div',
    { class: 'routed', role: 'status', 'data-decision': how.decision_id },
    icon('companion'),
    said,
    back,
    elsewhere,
  )

  async function choose(): Promise<void> {
    const { showThreads } = await import('./threads.ts')
    showThreads({ app, spaceId, part, onPick: undo })
  }

  async function undo(to?: string): Promise<void> {
    if (back.disabled) return
    back.disabled = true
    elsewhere.disabled = true
    if (part.state.get().running) said.textContent = 'Moves as soon as the answer is finished.'
    try {
      await whenAnswered(part, signal)
      const path = `/api/routing-decisions/${how.decision_id}/undo`
      const { conversation } = await app.api.post<{ conversation: Conversation }>(path, to ? { to } : {})
      await part.reload()
      app.toast(`The message and its answer are in “${conversation.title}” now.`)
    } catch (error) {
      app.toast(messageOf(error), { tone: 'problem' })
      said.textContent = wordsFor(how)
      back.disabled = false
      elsewhere.disabled = false
    }
  }
}

const wordsFor = ({ routed, title }: LastRouting) =>
  routed === 'new' ? 'Began a new thread' : `Continued in ‘${title || 'Untitled thread'}’`

function whenAnswered({ state }: ConversationPart, signal: AbortSignal): Promise<void> {
  if (!state.get().running) return Promise.resolve()
  const ended = new AbortController()
  return new Promise((resolve) => {
    const done = (running: string | null) => {
      if (running) return
      ended.abort()
      resolve()
    }
    state.watch(({ running }) => running, done, AbortSignal.any([ended.signal, signal]))
  })
}

import type { Conversation } from '../../lib/contract/companion.ts'
import type { List } from '../../lib/contract/entities.ts'
import { messageOf, withQuery } from '../api.ts'
import type { App } from '../app.ts'
import { showDialog } from '../components/dialog.ts'
import { el } from '../dom.ts'
import type { ConversationPart } from './conversation.ts'
import { newThread, openThread } from './thread-actions.ts'
import { createThreadList, type ThreadState } from './thread-list.ts'

export type ThreadsOptions = {
  app: App
  spaceId: string
  part: ConversationPart
  /** Instead of going to a thread: called with the id of the one that was picked, or `new`. */
  onPick?: (to: string) => Promise<void>
}

/** The threads of the Space: find one, go to it, begin a new one, rename, put away, delete and bring back. */
export function showThreads({ app, spaceId, part, onPick }: ThreadsOptions): void {
  const gone = new AbortController()
  const list = createThreadList({
    app,
    spaceId,
    current: part.state.get().conversation_id,
    picking: onPick !== undefined,
    onOpen: (id) => leave(onPick ? onPick(id) : openThread({ app, spaceId, part }, id)),
    onChange: find,
    signal: gone.signal,
  })
  const search = el('input', {
    class: 'field',
    type: 'search',
    placeholder: 'Search in all threads',
    'aria-label': 'Search in all threads',
    oninput: find,
    onkeydown: (event: KeyboardEvent) => {
      if (event.key !== 'ArrowDown') return
      event.preventDefault()
      list.focus()
    },
  })
  const which = el(
    'select',
    { class: 'field', 'aria-label': 'Which threads', onchange: find },
    el('option', { value: 'active' }, 'In use'),
    el('option', { value: 'archived' }, 'Archived'),
    el('option', { value: 'deleted' }, 'Deleted'),
  )
  const begin = el(
    'button',
    {
      class: 'button button-primary',
      type: 'button',
      onclick: () => leave(onPick ? onPick('new') : newThread({ app, spaceId, part })),
    },
    'New thread',
  )
  const dialog = showDialog(
    { title: onPick ? 'Move to' : 'Threads', name: 'threads', onClose: () => gone.abort() },
    el(
      'div',
      { class: 'row' },
      el('div', { class: 'thread-search' }, search),
      onPick ? null : el('div', {}, which),
      begin,
    ),
    list.element,
  )
  search.focus()
  find()

  async function find(): Promise<void> {
    const asked = { q: search.value.trim(), status: which.value }
    const path = withQuery(`/api/spaces/${spaceId}/conversations`, asked)
    try {
      const { items } = await app.api.get<List<Conversation>>(path)
      if (asked.q === search.value.trim() && asked.status === which.value) {
        list.show(items, stateOf(asked.status))
      }
    } catch (error) {
      list.fail(messageOf(error))
    }
  }

  async function leave(work: Promise<void>): Promise<void> {
    dialog.close()
    await work.catch((error: unknown) => app.toast(messageOf(error), { tone: 'problem' }))
    document.querySelector<HTMLElement>('#composer')?.focus()
  }
}

const stateOf = (value: string): ThreadState =>
  value === 'archived' || value === 'deleted' ? value : 'active'

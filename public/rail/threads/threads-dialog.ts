import type { Conversation } from '../../../lib/contract/companion/companion.ts'
import type { List } from '../../../lib/contract/list.ts'
import { toastFailure } from '../../app/actions/toast-failure.ts'
import { messageOf } from '../../app/api/api.ts'
import { showDialog } from '../../ui/components/dialog.ts'
import { el } from '../../ui/dom.ts'
import { withQuery } from '../../ui/words/addresses.ts'
import type { ThreadContext } from '../state/conversation-part.ts'
import { newThread, openThread } from './thread-actions.ts'
import { createThreadList } from './thread-list.ts'
import type { ThreadState } from './thread-operations.ts'

/**
 * The threads of the Space: find one, switch to it, create, rename, archive, delete and restore. With `onPick` it only
 * chooses one: called with its id, or `new`.
 */
export function showThreads(context: ThreadContext, onPick?: (to: string) => Promise<void>): void {
  const { app, spaceId, part } = context
  const closed = new AbortController()
  const list = createThreadList({
    app,
    spaceId,
    current: part.state.get().conversation_id,
    isPicker: onPick !== undefined,
    companions: part.state.get().companions,
    onOpen: (id) => leave(onPick ? onPick(id) : openThread(context, id)),
    onChange: load,
    signal: closed.signal,
  })
  const search = renderSearch(load, list.focus)
  const filter = el(
    'select',
    { class: 'field', 'aria-label': 'Filter threads', onchange: load },
    el('option', { value: 'active' }, 'Active'),
    el('option', { value: 'archived' }, 'Archived'),
    el('option', { value: 'deleted' }, 'Deleted'),
  )
  const create = () => leave(onPick ? onPick('new') : newThread(context))
  const dialog = showDialog(
    { title: onPick ? 'Move to thread' : 'Threads', name: 'threads', onClose: () => closed.abort() },
    el(
      'div',
      { class: 'row' },
      el('div', { class: 'thread-search' }, search),
      onPick ? null : el('div', {}, filter),
      el('button', { class: 'button button-primary', type: 'button', onclick: create }, 'New thread'),
    ),
    list.element,
  )
  search.focus()
  load()

  async function load(): Promise<void> {
    const query = { q: search.value.trim(), status: filter.value }
    const path = withQuery(`/api/spaces/${spaceId}/conversations`, query)
    try {
      const { items } = await app.api.get<List<Conversation>>(path)
      const isCurrent = query.q === search.value.trim() && query.status === filter.value
      if (isCurrent) list.show(items, stateOf(query.status))
    } catch (error) {
      list.fail(messageOf(error))
    }
  }

  async function leave(work: Promise<void>): Promise<void> {
    dialog.close()
    await toastFailure(app, work)
    document.querySelector<HTMLElement>('#composer')?.focus()
  }
}

const renderSearch = (onInput: () => void, onDown: () => void): HTMLInputElement =>
  el('input', {
    class: 'field',
    type: 'search',
    placeholder: 'Search threads',
    'aria-label': 'Search threads',
    oninput: onInput,
    onkeydown: (event: KeyboardEvent) => {
      if (event.key !== 'ArrowDown') return
      event.preventDefault()
      onDown()
    },
  })

const stateOf = (value: string): ThreadState =>
  value === 'archived' || value === 'deleted' ? value : 'active'

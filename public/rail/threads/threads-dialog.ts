import type { Conversation } from '../../../lib/contract/companion/companion.ts'
import type { List } from '../../../lib/contract/list.ts'
import { toastFailure } from '../../app/actions/toast-failure.ts'
import { messageOf } from '../../app/api/api.ts'
import { showDialog } from '../../ui/components/dialog.ts'
import { visible } from '../../ui/components/visible.ts'
import { el } from '../../ui/dom.ts'
import { entityHref, withQuery } from '../../ui/words/addresses.ts'
import { newThread, openThread, type ThreadContext } from '../state/conversation-part.ts'
import { createThreadList } from './thread-list.ts'
import type { ThreadState } from './thread-row.ts'

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
    onOpen: ({ id, imported_from }) => leave(onPick ? onPick(id) : open(id, imported_from !== null)),
    onChange: load,
    signal: closed.signal,
  })
  const search = renderSearch(load, list.focus)
  const filter = el(
    'select',
    { class: 'field', 'aria-label': 'Filter threads', onchange: load },
    el('option', { value: 'active' }, 'Active'),
    el('option', { value: 'flagged' }, 'Flagged'),
    el('option', { value: 'archived' }, 'Archived'),
    el('option', { value: 'deleted' }, 'Deleted'),
  )
  const label = el(
    'select',
    { class: 'field', 'aria-label': 'Filter by label', onchange: load },
    el('option', { value: '' }, 'Any label'),
  )
  const labels = el('div', { hidden: true }, label)
  const create = () => leave(onPick ? onPick('new') : newThread(context))
  const dialog = showDialog(
    { title: onPick ? 'Move to thread' : 'Threads', name: 'threads', onClose: () => closed.abort() },
    el(
      'div',
      { class: 'row' },
      el('div', { class: 'thread-search' }, search),
      onPick ? null : [el('div', {}, filter), labels],
      el('button', { class: 'button button-primary', type: 'button', onclick: create }, 'New thread'),
    ),
    list.element,
  )
  search.focus()
  load()

  /** One that was imported is read on a page of its own. */
  async function open(id: string, isImported: boolean): Promise<void> {
    if (!isImported) return await openThread(context, id)
    const space = app.state.get().spaces.find((one) => one.id === spaceId)
    if (space) await app.navigate(entityHref(space.slug, 'conversation', id)!)
  }

  async function load(): Promise<void> {
    const query = filters()
    try {
      const { items } = await app.api.get<List<Conversation>>(query)
      if (query !== filters()) return
      list.show(items, stateOf(filter.value))
      offerLabels(label, items)
      labels.hidden = label.options.length === 1
    } catch (error) {
      list.fail(messageOf(error))
    }
  }

  function filters(): string {
    const flagged = filter.value === 'flagged'
    return withQuery(`/api/spaces/${spaceId}/conversations`, {
      q: search.value.trim(),
      status: flagged ? 'current' : filter.value,
      flagged: flagged ? 'true' : null,
      label: label.value || null,
    })
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

/** Adds the labels of these threads to those that can be chosen. */
function offerLabels(select: HTMLSelectElement, threads: readonly Conversation[]): void {
  const listed = new Set([...select.options].map(({ value }) => value))
  const labels = new Set(threads.flatMap((thread) => thread.labels))
  const added = [...labels].filter((label) => !listed.has(label)).sort((a, b) => a.localeCompare(b))
  select.append(...added.map((label) => el('option', { value: label }, visible(label))))
}

const stateOf = (value: string): ThreadState =>
  value === 'archived' || value === 'deleted' ? value : 'active'

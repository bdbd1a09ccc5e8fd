import type { AgentMark } from '../../../lib/contract/agents.ts'
import type { Conversation } from '../../../lib/contract/companion/companion.ts'
import type { List } from '../../../lib/contract/list.ts'
import { toastFailure } from '../../app/actions/toast-failure.ts'
import { messageOf } from '../../app/api/api.ts'
import type { App } from '../../app/app.ts'
import { showDialog } from '../../ui/components/dialog.ts'
import type { IconName } from '../../ui/components/icon.ts'
import { el } from '../../ui/dom.ts'
import { entityHref, withQuery } from '../../ui/words/addresses.ts'
import { newThread, openThread, type ThreadContext } from '../state/conversation-part.ts'
import {
  createThreadOperations,
  renderRenameForm,
  renderThreadRow,
  type ThreadMenuItem,
  type ThreadOperation,
  type ThreadState,
} from './thread-row.ts'

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

  /** One that was imported is read on a page of its own. */
  async function open(id: string, isImported: boolean): Promise<void> {
    if (!isImported) return await openThread(context, id)
    const space = app.state.get().spaces.find((one) => one.id === spaceId)
    if (space) await app.navigate(entityHref(space.slug, 'conversation', id)!)
  }

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

// The rows of the threads dialog, and what can be done with each, by menu and by keys.

type ThreadListOptions = {
  app: App
  spaceId: string
  /** The thread that the rail shows. */
  current: string
  /** Whether a thread can only be chosen. */
  isPicker: boolean
  companions: readonly AgentMark[]
  onOpen: (thread: Conversation) => void
  /** Loads the list again after a change. */
  onChange: () => Promise<void>
  signal: AbortSignal
}

type ThreadList = {
  element: HTMLElement
  show(threads: readonly Conversation[], state: ThreadState): void
  fail(message: string): void
  /** Focuses the first row. */
  focus(): void
}

function createThreadList(options: ThreadListOptions): ThreadList {
  const { app, spaceId, current, isPicker, companions, onOpen, onChange } = options
  const list = el('ul', { class: 'thread-list' })
  const operations = createThreadOperations(app.api, spaceId, onChange)
  const { run, restore, remove, download, downloadHtml } = operations
  let threads: readonly Conversation[] = []
  let state: ThreadState = 'active'
  const toggleArchived: ThreadOperation = (thread) =>
    state === 'active' ? operations.archive(thread) : operations.unarchive(thread)
  const actions = { rename, toggleArchived, remove, undo: operations.undoLast }
  if (!isPicker) addKeys(options, list, { ...actions, step, onFocused })

  return {
    element: el('div', { class: 'stack' }, operations.status, list),
    show,
    fail: (message) => list.replaceChildren(el('li', { class: 'problem' }, message)),
    focus: () => rows()[0]?.focus(),
  }

  function show(conversations: readonly Conversation[], of: ThreadState): void {
    threads = conversations
    state = of
    const at = rows().indexOf(focusedRow())
    const empty = el('li', { class: 'dim' }, 'No threads match.')
    list.replaceChildren(...(conversations.length > 0 ? conversations.map(renderRow) : [empty]))
    if (at >= 0) (rows()[Math.min(at, rows().length - 1)] ?? list).focus()
  }

  function renderRow(thread: Conversation): HTMLElement {
    const { id } = thread
    return renderThreadRow({
      thread,
      companion:
        companions.length > 1 ? (companions.find((one) => one.id === thread.agent_id) ?? null) : null,
      isCurrent: id === current,
      now: app.now(),
      onOpen: () => (state === 'deleted' ? run(restore, thread) : onOpen(thread)),
      menu: isPicker
        ? null
        : menuOf(
            thread.imported_from && state !== 'deleted' ? 'imported' : state,
            (name) =>
              void run({ rename, toggleArchived, remove, restore, download, downloadHtml }[name], thread),
          ),
    })
  }

  function rows(): HTMLElement[] {
    return [...list.querySelectorAll<HTMLElement>('.thread-item')]
  }

  function focusedRow(): HTMLElement {
    return document.activeElement?.closest('li')?.querySelector<HTMLElement>('.thread-item') ?? list
  }

  function step(by: number): void {
    const all = rows()
    all[Math.max(0, Math.min(all.length - 1, all.indexOf(focusedRow()) + by))]?.focus()
  }

  function onFocused(operation: ThreadOperation): void {
    const thread = threads[rows().indexOf(focusedRow())]
    if (thread && state !== 'deleted') run(operation, thread)
  }

  function rename(thread: Conversation): void {
    const at = threads.indexOf(thread)
    const save = async (title: string) => {
      await run((each) => operations.setTitle(each, title), thread)
      await onChange()
      rows()[at]?.focus()
    }
    showForm(list.children[at], renderRenameForm(thread, save, onChange))
  }
}

type MenuAction = 'rename' | 'toggleArchived' | 'remove' | 'restore' | 'download' | 'downloadHtml'

/** `imported`: archived for good. */
function menuOf(state: ThreadState | 'imported', onAction: (name: MenuAction) => void): ThreadMenuItem[] {
  const item = (label: string, icon: IconName, name: MenuAction) => ({
    label,
    icon,
    run: () => onAction(name),
  })
  if (state === 'deleted') return [item('Restore', 'restore', 'restore')]
  return [
    { ...item('Rename', 'edit', 'rename'), key: 'r' },
    item('Export as Markdown', 'download', 'download'),
    item('Export as HTML', 'download', 'downloadHtml'),
    ...(state === 'imported'
      ? []
      : [{ ...item(state === 'active' ? 'Archive' : 'Unarchive', 'archive', 'toggleArchived'), key: 'a' }]),
    { ...item('Delete', 'trash', 'remove'), key: 'd' },
  ]
}

function showForm(row: Element | undefined, form: HTMLFormElement): void {
  row?.replaceChildren(form)
  const field = form.querySelector('input')
  field?.focus()
  field?.select()
}

type ListActions = {
  rename: ThreadOperation
  toggleArchived: ThreadOperation
  remove: ThreadOperation
  undo: () => void
  step: (by: number) => void
  onFocused: (operation: ThreadOperation) => void
}

function addKeys({ app, signal }: ThreadListOptions, list: HTMLElement, actions: ListActions): void {
  const { step, onFocused, rename, toggleArchived, remove, undo } = actions
  const bind = (keys: string[], label: string, run: () => void) =>
    keys.map((key) => ({ key, label, run, group: 'Threads', within: list }))
  app.keys.add(
    [
      ...bind(['ArrowDown', 'j'], 'Next thread', () => step(1)),
      ...bind(['ArrowUp', 'k'], 'Previous thread', () => step(-1)),
      ...bind(['r', 'F2'], 'Rename thread', () => onFocused(rename)),
      ...bind(['a'], 'Archive or unarchive thread', () => onFocused(toggleArchived)),
      ...bind(['d', 'Delete'], 'Delete thread', () => onFocused(remove)),
      ...bind(['u'], 'Undo', undo),
    ],
    signal,
  )
}

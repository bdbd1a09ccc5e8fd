// The rows of the threads dialog, and what can be done with each, by menu and by keys.

import type { AgentMark } from '../../../lib/contract/agents.ts'
import type { Conversation } from '../../../lib/contract/companion/companion.ts'
import type { App } from '../../app/app.ts'
import type { IconName } from '../../ui/components/icon.ts'
import { el } from '../../ui/dom.ts'
import {
  createThreadOperations,
  renderRowForm,
  renderThreadRow,
  type ThreadMenuItem,
  type ThreadOperation,
  type ThreadState,
} from './thread-row.ts'

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

export function createThreadList(options: ThreadListOptions): ThreadList {
  const { app, spaceId, current, isPicker, companions, onOpen, onChange } = options
  const list = el('ul', { class: 'thread-list' })
  const operations = createThreadOperations(app.api, spaceId, onChange)
  const { run, restore, remove, download, downloadHtml, toggleFlag } = operations
  let threads: readonly Conversation[] = []
  let state: ThreadState = 'active'
  const toggleArchived: ThreadOperation = (thread) =>
    thread.status === 'active' ? operations.archive(thread) : operations.unarchive(thread)
  const actions = { rename, toggleArchived, toggleFlag, editLabels, remove, undo: operations.undoLast }
  const menuActions = {
    ...{ rename, handTitleBack, toggleFlag, editLabels, toggleArchived },
    ...{ remove, restore, download, downloadHtml },
  }
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
        : menuOf(thread, state === 'deleted', (name) => void run(menuActions[name], thread)),
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
    const field = { label: 'Thread title', value: thread.title, maxlength: 200, required: true }
    edit(thread, field, (title) => operations.setTitle(thread, title))
  }

  function editLabels(thread: Conversation): void {
    const field = {
      label: 'Labels, separated by commas',
      placeholder: 'Labels, separated by commas',
      value: thread.labels.join(', '),
      maxlength: 600,
    }
    edit(thread, field, (words) =>
      operations.setLabels(thread, words.split(',').map(trimmed).filter(Boolean)),
    )
  }

  async function handTitleBack(thread: Conversation): Promise<void> {
    await operations.setTitle(thread, null)
    await onChange()
  }

  /** Shows a form in place of its row. */
  function edit(thread: Conversation, field: RowField, save: (value: string) => Promise<void>): void {
    const at = threads.indexOf(thread)
    const onSave = async (value: string) => {
      await run(() => save(value), thread)
      await onChange()
      rows()[at]?.focus()
    }
    showForm(list.children[at], renderRowForm({ ...field, onSave, onCancel: onChange }))
  }
}

const trimmed = (text: string) => text.trim()

type RowField = Omit<Parameters<typeof renderRowForm>[0], 'onSave' | 'onCancel'>

type MenuAction =
  | 'rename'
  | 'handTitleBack'
  | 'toggleFlag'
  | 'editLabels'
  | 'toggleArchived'
  | 'remove'
  | 'restore'
  | 'download'
  | 'downloadHtml'

/** An imported one is archived for good. */
function menuOf(
  { status, flagged, imported_from }: Conversation,
  isDeleted: boolean,
  onAction: (name: MenuAction) => void,
): ThreadMenuItem[] {
  const item = (label: string, icon: IconName, name: MenuAction) => ({
    label,
    icon,
    run: () => onAction(name),
  })
  if (isDeleted) return [item('Restore', 'restore', 'restore')]
  return [
    { ...item('Rename', 'edit', 'rename'), key: 'r' },
    item('Let the companion title it', 'companion', 'handTitleBack'),
    { ...item(flagged ? 'Remove flag' : 'Flag', 'star', 'toggleFlag'), key: 'f' },
    { ...item('Labels…', 'list', 'editLabels'), key: 'l' },
    item('Export as Markdown', 'download', 'download'),
    item('Export as HTML', 'download', 'downloadHtml'),
    ...(imported_from
      ? []
      : [{ ...item(status === 'active' ? 'Archive' : 'Unarchive', 'archive', 'toggleArchived'), key: 'a' }]),
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
  toggleFlag: ThreadOperation
  editLabels: ThreadOperation
  remove: ThreadOperation
  undo: () => void
  step: (by: number) => void
  onFocused: (operation: ThreadOperation) => void
}

function addKeys({ app, signal }: ThreadListOptions, list: HTMLElement, actions: ListActions): void {
  const { step, onFocused, rename, toggleArchived, toggleFlag, editLabels, remove, undo } = actions
  const bind = (keys: string[], label: string, run: () => void) =>
    keys.map((key) => ({ key, label, run, group: 'Threads', within: list }))
  app.keys.add(
    [
      ...bind(['ArrowDown', 'j'], 'Next thread', () => step(1)),
      ...bind(['ArrowUp', 'k'], 'Previous thread', () => step(-1)),
      ...bind(['r', 'F2'], 'Rename thread', () => onFocused(rename)),
      ...bind(['f'], 'Flag thread or remove its flag', () => onFocused(toggleFlag)),
      ...bind(['l'], 'Edit labels of thread', () => onFocused(editLabels)),
      ...bind(['a'], 'Archive or unarchive thread', () => onFocused(toggleArchived)),
      ...bind(['d', 'Delete'], 'Delete thread', () => onFocused(remove)),
      ...bind(['u'], 'Undo', undo),
    ],
    signal,
  )
}

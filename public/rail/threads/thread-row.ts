import type { AgentMark } from '../../../lib/contract/agents.ts'
import type { Conversation } from '../../../lib/contract/companion/companion.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { type Api, messageOf } from '../../app/api/api.ts'
import { type IconName, icon } from '../../ui/components/icon.ts'
import { renderMark } from '../../ui/components/marks.ts'
import { renderMenu } from '../../ui/components/menu.ts'
import { visible } from '../../ui/components/visible.ts'
import { el } from '../../ui/dom.ts'
import { timeAgo } from '../../ui/time.ts'

export type ThreadMenuItem = { label: string; icon: IconName; run: () => void; key?: string }

type ThreadRowOptions = {
  thread: Conversation
  /** Whose thread it is, where there are several companions. */
  companion: AgentMark | null
  isCurrent: boolean
  now: Date
  onOpen: () => void
  /** `null`: the row has no menu. */
  menu: readonly ThreadMenuItem[] | null
}

export function renderThreadRow({
  thread,
  companion,
  isCurrent,
  now,
  onOpen,
  menu,
}: ThreadRowOptions): HTMLElement {
  const { id, title, summary, labels, flagged, last_activity_at } = thread
  return el(
    'li',
    { class: 'thread-row' },
    el(
      'button',
      {
        class: 'menu-item thread-item',
        type: 'button',
        'aria-current': isCurrent ? 'true' : null,
        onclick: onOpen,
      },
      el(
        'span',
        { class: 'grow thread-words' },
        el(
          'span',
          { class: 'thread-name' },
          flagged &&
            el(
              'span',
              { class: 'thread-flag' },
              icon('star'),
              el('span', { class: 'visually-hidden' }, 'Flagged: '),
            ),
          title || 'Untitled',
        ),
        summary && el('span', { class: 'thread-summary' }, summary),
        labels.length > 0 &&
          el(
            'span',
            { class: 'row', 'aria-label': `Labels: ${labels.join(', ')}` },
            labels.map((label) => el('bdi', { class: 'badge' }, visible(label))),
          ),
      ),
      companion && el('span', { class: 'thread-with' }, renderMark(companion), visible(companion.name)),
      timeAgo(last_activity_at, now),
    ),
    menu && renderMenu({ label: `Actions for ${title || 'Untitled'}`, id: `thread-menu-${id}`, items: menu }),
  )
}

/** Of a form in place of a row. */
type RowField = {
  label: string
  value: string
  maxlength: number
  required?: boolean
  placeholder?: string
  onSave: (value: string) => Promise<void>
  onCancel: () => void
}

/** A form in place of the row: `onSave` gets the new words; Escape calls `onCancel`. */
export function renderRowForm({ label, onSave, onCancel, ...field }: RowField): HTMLFormElement {
  const name = el('input', {
    class: 'field',
    ...field,
    'aria-label': label,
    onkeydown: (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      event.stopPropagation()
      onCancel()
    },
  })
  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    await onSave(name.value)
  }
  return el(
    'form',
    { class: 'row grow', onsubmit: save },
    el('div', { class: 'grow' }, name),
    el('button', { class: 'button', type: 'submit' }, 'Save'),
  )
}

export type ThreadState = 'active' | 'archived' | 'deleted'

export type ThreadOperation = (thread: Conversation) => Promise<void> | void

export type ThreadOperations = {
  /** Says what was done, with the way to undo it: under a modal dialog no toast can be reached. */
  status: HTMLElement
  archive: ThreadOperation
  unarchive: ThreadOperation
  remove: ThreadOperation
  restore: ThreadOperation
  /** Downloads it as a file. */
  download: ThreadOperation
  downloadHtml: ThreadOperation
  /** `null`: the companion titles it again. */
  setTitle(thread: Conversation, title: string | null): Promise<void>
  setLabels(thread: Conversation, labels: readonly string[]): Promise<void>
  toggleFlag: ThreadOperation
  /** Runs an operation; its failure is shown in `status`. */
  run(operation: ThreadOperation, thread: Conversation): Promise<void>
  undoLast(): void
}

/** What can be done with the threads of a Space. `onChange` is called after each change. */
export function createThreadOperations(
  api: Api,
  spaceId: string,
  onChange: () => Promise<void>,
): ThreadOperations {
  const status = el('div', { class: 'thread-status', role: 'status' })
  const at = ({ id }: Conversation) => `/api/spaces/${spaceId}/conversations/${id}`
  const setArchived = (thread: Conversation, archived: boolean) => api.patch(at(thread), { archived })
  let undo: (() => void) | null = null

  return {
    status,
    undoLast: () => undo?.(),
    async archive(thread) {
      await setArchived(thread, true)
      report(`Archived ${quoteShown(thread.title)}.`, () => setArchived(thread, false))
    },
    async unarchive(thread) {
      await setArchived(thread, false)
      report(`Unarchived ${quoteShown(thread.title)}.`, () => setArchived(thread, true))
    },
    async remove(thread) {
      await api.delete(at(thread))
      report(`Deleted ${quoteShown(thread.title)}.`, () => api.post(`${at(thread)}/restore`))
    },
    async restore(thread) {
      await api.post(`${at(thread)}/restore`)
      report(`Restored ${quoteShown(thread.title)}.`)
    },
    download: (thread) => el('a', { href: `${at(thread)}/export.md`, download: '' }).click(),
    downloadHtml: (thread) => el('a', { href: `${at(thread)}/export.html`, download: '' }).click(),
    setTitle: (thread, title) => api.patch(at(thread), { title }),
    setLabels: (thread, labels) => api.patch(at(thread), { labels }),
    async toggleFlag(thread) {
      await api.patch(at(thread), { flagged: !thread.flagged })
      await onChange()
    },
    async run(operation, thread) {
      try {
        await operation(thread)
      } catch (error) {
        status.replaceChildren(el('p', { class: 'problem' }, messageOf(error)))
      }
    },
  }

  function report(text: string, back?: () => Promise<unknown>): void {
    const run = async () => {
      undo = null
      await back?.().catch((error: unknown) => status.replaceChildren(messageOf(error)))
      status.replaceChildren()
      await onChange()
    }
    undo = back ? run : null
    const button = el('button', { class: 'button button-small', type: 'button', onclick: run }, 'Undo')
    status.replaceChildren(el('p', { class: 'grow' }, text), ...(back ? [button] : []))
    onChange()
  }
}

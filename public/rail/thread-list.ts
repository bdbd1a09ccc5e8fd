// The rows of the threads dialog, and what can be done with each, by menu and by keys. What is undone is undone here:
// under a modal dialog no message at the page's edge can be reached.

import type { Conversation } from '../../lib/contract/companion.ts'
import { messageOf } from '../api.ts'
import type { App } from '../app.ts'
import { renderMenu } from '../components/menu.ts'
import { el } from '../dom.ts'
import { timeAgo } from '../time.ts'

export type ThreadState = 'active' | 'archived' | 'deleted'

export type ThreadListOptions = {
  app: App
  spaceId: string
  /** The thread that the rail shows. */
  current: string
  /** Nothing but to choose one. */
  picking: boolean
  onOpen: (id: string) => void
  /** Something has changed: the list is to be asked for again. */
  onChange: () => Promise<void>
  signal: AbortSignal
}

export type ThreadList = {
  element: HTMLElement
  show(threads: readonly Conversation[], state: ThreadState): void
  fail(message: string): void
  /** Gives the focus to the first row. */
  focus(): void
}

type Work = (thread: Conversation) => Promise<void> | void

export function createThreadList(options: ThreadListOptions): ThreadList {
  const { app, spaceId, current, picking, onOpen, onChange, signal } = options
  const list = el('ul', { class: 'thread-list' })
  const status = el('div', { class: 'thread-status', role: 'status' })
  const at = `/api/spaces/${spaceId}/conversations`
  let threads: readonly Conversation[] = []
  let state: ThreadState = 'active'
  let undo: (() => void) | null = null

  const toggleArchived: Work = async ({ id, title }) => {
    const archived = state === 'active'
    await app.api.patch(`${at}/${id}`, { archived })
    done(`‘${title}’ is ${archived ? 'put away' : 'in use again'}.`, () =>
      app.api.patch(`${at}/${id}`, { archived: !archived }),
    )
  }
  const remove: Work = async ({ id, title }) => {
    await app.api.delete(`${at}/${id}`)
    done(`‘${title}’ is deleted.`, () => app.api.post(`${at}/${id}/restore`))
  }
  const restore: Work = async ({ id, title }) => {
    await app.api.post(`${at}/${id}/restore`)
    done(`‘${title}’ is back.`)
  }

  if (!picking) {
    const key = (name: string, label: string, run: () => void) => ({
      key: name,
      label,
      run,
      group: 'Threads',
      within: list,
    })
    const bindings = [
      ...['ArrowDown', 'j'].map((name) => key(name, 'Next thread', () => walk(1))),
      ...['ArrowUp', 'k'].map((name) => key(name, 'Previous thread', () => walk(-1))),
      ...['r', 'F2'].map((name) => key(name, 'Rename the thread', () => onFocused(rename))),
      key('a', 'Archive the thread, or take it back', () => onFocused(toggleArchived)),
      ...['d', 'Delete'].map((name) => key(name, 'Delete the thread', () => onFocused(remove))),
      key('u', 'Undo', () => undo?.()),
    ]
    app.keys.add(bindings, signal)
  }

  return {
    element: el('div', { class: 'stack' }, status, list),
    show(found, of) {
      threads = found
      state = of
      const place = rows().indexOf(focused())
      list.replaceChildren(
        ...(found.length > 0 ? found.map(row) : [el('li', { class: 'dim' }, 'There is no such thread.')]),
      )
      if (place >= 0) (rows()[Math.min(place, rows().length - 1)] ?? list).focus()
    },
    fail: (message) => list.replaceChildren(el('li', { class: 'problem' }, message)),
    focus: () => rows()[0]?.focus(),
  }

  function rows(): HTMLElement[] {
    return [...list.querySelectorAll<HTMLElement>('.thread-item')]
  }

  function focused(): HTMLElement {
    return document.activeElement?.closest('li')?.querySelector<HTMLElement>('.thread-item') ?? list
  }

  function walk(by: number): void {
    const all = rows()
    all[Math.max(0, Math.min(all.length - 1, all.indexOf(focused()) + by))]?.focus()
  }

  function onFocused(work: Work): void {
    const thread = threads[rows().indexOf(focused())]
    if (thread && state !== 'deleted') attempt(work, thread)
  }

  async function attempt(work: Work, thread: Conversation): Promise<void> {
    try {
      await work(thread)
    } catch (error) {
      status.replaceChildren(el('p', { class: 'problem' }, messageOf(error)))
    }
  }

  function done(words: string, back?: () => Promise<unknown>): void {
    const run = async () => {
      undo = null
      await back?.().catch((error: unknown) => status.replaceChildren(messageOf(error)))
      status.replaceChildren()
      await onChange()
    }
    undo = back ? run : null
    const button =
      back && el('button', { class: 'button button-small', type: 'button', onclick: run }, 'Undo')
    status.replaceChildren(el('p', { class: 'grow' }, words), ...(button ? [button] : []))
    onChange()
  }

  function row(thread: Conversation): HTMLElement {
    const { id, title, summary, last_activity_at } = thread
    return el(
      'li',
      { class: 'thread-row' },
      el(
        'button',
        {
          class: 'menu-item thread-item',
          type: 'button',
          'aria-current': id === current ? 'true' : null,
          onclick: () => (state === 'deleted' ? attempt(restore, thread) : onOpen(id)),
        },
        el(
          'span',
          { class: 'grow thread-words' },
          el('span', { class: 'thread-name' }, title || 'Untitled'),
          summary && el('span', { class: 'thread-summary' }, summary),
        ),
        timeAgo(last_activity_at, app.now()),
      ),
      picking ? null : menu(thread),
    )
  }

  function menu(thread: Conversation): HTMLElement {
    const item = (
      label: string,
      icon: 'edit' | 'archive' | 'trash' | 'restore',
      work: Work,
      key?: string,
    ) => ({
      label,
      icon,
      run: () => attempt(work, thread),
      ...(key ? { key } : {}),
    })
    const items =
      state === 'deleted'
        ? [item('Bring back', 'restore', restore)]
        : [
            item('Rename', 'edit', rename, 'r'),
            item(state === 'active' ? 'Archive' : 'Take back', 'archive', toggleArchived, 'a'),
            item('Delete', 'trash', remove, 'd'),
          ]
    const label = `What to do with ${thread.title || 'the thread'}`
    return renderMenu({ label, id: `thread-menu-${thread.id}`, items })
  }

  function rename(thread: Conversation): void {
    const place = threads.indexOf(thread)
    const name = el('input', {
      class: 'field',
      value: thread.title,
      maxlength: 200,
      required: true,
      'aria-label': 'Title of the thread',
      onkeydown: (event: KeyboardEvent) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        onChange()
      },
    })
    const save = async (event: SubmitEvent) => {
      event.preventDefault()
      await attempt(async ({ id }) => {
        await app.api.patch(`${at}/${id}`, { title: name.value })
      }, thread)
      await onChange()
      rows()[place]?.focus()
    }
    const form = el(
      'form',
      { class: 'row grow', onsubmit: save },
      el('div', { class: 'grow' }, name),
      el('button', { class: 'button', type: 'submit' }, 'Save'),
    )
    list.children[place]?.replaceChildren(form)
    name.focus()
    name.select()
  }
}

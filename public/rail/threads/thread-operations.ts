import type { Conversation } from '../../../lib/contract/companion/companion.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import type { Api } from '../../app/api/api.ts'
import { messageOf } from '../../app/api/api.ts'
import { el } from '../../ui/dom.ts'

export type ThreadState = 'active' | 'archived' | 'deleted'

export type ThreadOperation = (thread: Conversation) => Promise<void> | void

export type ThreadOperations = {
  /** Says what was done, with the way to undo it: under a modal dialog no toast can be reached. */
  status: HTMLElement
  archive: ThreadOperation
  unarchive: ThreadOperation
  remove: ThreadOperation
  restore: ThreadOperation
  /** Downloads it as a Markdown file. */
  download: ThreadOperation
  setTitle(thread: Conversation, title: string): Promise<void>
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
    setTitle: (thread, title) => api.patch(at(thread), { title }),
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

import type { Conversation } from '../../lib/contract/companion.ts'
import type { List } from '../../lib/contract/entities.ts'
import { messageOf, withQuery } from '../api.ts'
import type { App } from '../app.ts'
import { showDialog } from '../components/dialog.ts'
import { el } from '../dom.ts'
import { timeAgo } from '../time.ts'
import type { ConversationPart } from './conversation.ts'

/** The threads of the Space: find one, go to it, begin a new one, rename the one that is open. */
export function showThreads(app: App, spaceId: string, conversation: ConversationPart): void {
  const { title, conversation_id } = conversation.state.get()
  const list = el('ul', { class: 'thread-list' })
  const search = el('input', {
    class: 'field',
    type: 'search',
    placeholder: 'Search in all threads',
    'aria-label': 'Search in all threads',
    oninput: find,
  })
  const name = el('input', {
    class: 'field',
    id: 'thread-name',
    value: title,
    maxlength: 200,
    required: true,
  })
  const dialog = showDialog(
    { title: 'Threads', name: 'threads' },
    el(
      'form',
      { class: 'row', onsubmit: rename },
      el('label', { class: 'visually-hidden', for: 'thread-name' }, 'Title of this thread'),
      el('div', { class: 'grow' }, name),
      el('button', { class: 'button', type: 'submit' }, 'Rename'),
      el(
        'button',
        { class: 'button button-primary', type: 'button', onclick: () => leave(conversation.newThread()) },
        'New thread',
      ),
    ),
    search,
    list,
  )
  search.focus()
  find()

  async function find(): Promise<void> {
    const path = withQuery(`/api/spaces/${spaceId}/conversations`, { q: search.value.trim() })
    try {
      const { items } = await app.api.get<List<Conversation>>(path)
      list.replaceChildren(
        ...(items.length > 0 ? items.map(row) : [el('li', { class: 'dim' }, 'No thread holds these words.')]),
      )
    } catch (error) {
      list.replaceChildren(el('li', { class: 'problem' }, messageOf(error)))
    }
  }

  function row({ id, title, last_activity_at }: Conversation): HTMLElement {
    return el(
      'li',
      {},
      el(
        'button',
        {
          class: 'menu-item thread-item',
          type: 'button',
          'aria-current': id === conversation_id ? 'true' : null,
          onclick: () => leave(conversation.openThread(id)),
        },
        el('span', { class: 'grow' }, title || 'Untitled'),
        timeAgo(last_activity_at, app.now()),
      ),
    )
  }

  function rename(event: SubmitEvent): void {
    event.preventDefault()
    leave(conversation.rename(name.value))
  }

  async function leave(work: Promise<void>): Promise<void> {
    dialog.close()
    await work.catch((error: unknown) => app.toast(messageOf(error), { tone: 'problem' }))
    document.querySelector<HTMLElement>('#composer')?.focus()
  }
}

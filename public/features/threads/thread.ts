import type { Conversation, Message, MessagePage } from '../../../lib/contract/companion/companion.ts'
import { productNames } from '../../../lib/contract/companion/product-names.ts'
import { cloneThread } from '../../app/actions/threads.ts'
import { defineView, type LoadContext, type ViewContext } from '../../app/view.ts'
import { icon } from '../../ui/components/icon.ts'
import { renderMenu } from '../../ui/components/menu.ts'
import { isolated } from '../../ui/components/visible.ts'
import { el } from '../../ui/dom.ts'
import { renderMarkdown } from '../../ui/markdown/markdown.ts'
import { timeAgo } from '../../ui/time.ts'
import { withQuery } from '../../ui/words/addresses.ts'

type Data = { thread: Conversation; page: MessagePage }

const perPage = 100

/** A thread to read, such as one that was imported: its messages, oldest first, and what can be made of it. */
export const view = defineView<Data>({
  async load({ api, params, space, url }: LoadContext) {
    const id = encodeURIComponent(params.id ?? '')
    const query = { limit: perPage, cursor: url.searchParams.get('before') }
    const [thread, page] = await Promise.all([
      api.get<Conversation>(`/api/spaces/${space!.id}/conversations/${id}`),
      api.get<MessagePage>(withQuery(`/api/conversations/${id}/messages`, query)),
    ])
    return { thread, page }
  },
  title: ({ thread }) => thread.title || 'Untitled thread',
  render: ({ thread, page }, context) =>
    el(
      'div',
      { class: 'thread-read' },
      el(
        'header',
        {},
        el(
          'h1',
          { class: 'detail-title', id: 'title' },
          isolated(thread.title || 'Untitled thread', maxTitle),
        ),
        el('p', { class: 'dim small' }, factsOf(thread), ' ', timeAgo(thread.started_at, context.now)),
      ),
      renderActions({ thread, page }, context),
      page.next_cursor &&
        el(
          'p',
          {},
          el(
            'a',
            { id: 'earlier', href: withQuery(context.url.pathname, { before: page.next_cursor }) },
            'Earlier messages',
          ),
        ),
      page.items.map((message) => renderMessage(message, { thread, page }, context)),
      context.url.searchParams.has('before') &&
        el('p', {}, el('a', { id: 'latest', href: context.url.pathname }, 'Latest messages')),
    ),
  affectedBy: (event, { thread }) => event.type === 'conversation' && event.data.id === thread.id,
})

const maxTitle = 300

const factsOf = ({ imported_from }: Conversation): string =>
  imported_from ? `Imported from ${productNames[imported_from]}, read-only. Started` : 'Started'

function renderActions({ thread, page }: Data, { app, space }: ViewContext): HTMLElement {
  const last = page.items.at(-1)
  const at = `/api/spaces/${space!.id}/conversations/${thread.id}`
  const download = (format: string) => () => el('a', { href: `${at}/export.${format}`, download: '' }).click()
  return el(
    'div',
    { class: 'row' },
    last &&
      el(
        'button',
        {
          class: 'button button-primary button-small',
          type: 'button',
          id: 'continue',
          onclick: () => cloneThread(app, space!, last.id),
        },
        icon('companion'),
        'Continue in a new thread',
      ),
    renderMenu({
      label: 'Share thread',
      id: 'share-thread',
      items: [
        { label: 'Download as Markdown', icon: 'download', run: download('md') },
        { label: 'Download as HTML', icon: 'download', run: download('html') },
      ],
    }),
  )
}

function renderMessage(
  message: Message,
  { thread, page }: Data,
  { app, space, now }: ViewContext,
): HTMLElement {
  const { id, role, body, created_at, agent_id } = message
  const author = page.agents.find((agent) => agent.id === agent_id)?.name
  const product = thread.imported_from ?? (role === 'assistant' ? message.metadata.imported_from : null)
  const companion = product ? productNames[product] : (author ?? 'Companion')
  const name = role === 'user' ? 'You' : companion
  const edited = role === 'assistant' && message.metadata.edited_at
  return el(
    'section',
    {
      class: ['thread-message', role === 'user' && 'thread-mine'],
      id: `message-${id}`,
      'aria-labelledby': `author-${id}`,
    },
    el(
      'header',
      { class: 'row' },
      el('h2', { class: 'said-label grow', id: `author-${id}` }, el('bdi', {}, name)),
      edited && el('span', { class: 'dim small' }, 'Edited by you'),
      el('span', { class: 'dim small' }, timeAgo(created_at, now)),
      renderMenu({
        label: 'Message actions',
        id: `menu-${id}`,
        items: [
          { label: 'New thread from here', icon: 'companion', run: () => cloneThread(app, space!, id) },
        ],
      }),
    ),
    renderMarkdown(body, { slug: space!.slug }),
  )
}

import type { MailThreadWithMessages } from '../../../lib/contract/mail.ts'
import { quoteShown } from '../../../lib/text/quote-name.ts'
import { composeMessage } from '../../app/actions/compose-message.ts'
import { defineView, type ViewContext } from '../../app/view.ts'
import { icon } from '../../ui/components/icon.ts'
import { el } from '../../ui/dom.ts'
import { spaceHref } from '../../ui/words/addresses.ts'
import { renderMessage } from './message.ts'

/** One thread, oldest message first; the address may name a message in it. */
export const threadView = defineView<MailThreadWithMessages>({
  load: async ({ api, params }) => await api.get(`/api/mail-threads/${encodeURIComponent(params.id ?? '')}`),
  title: ({ subject }) => subject,
  subject: ({ id, subject }) => ({ entityType: 'mail_thread', entityId: id, title: subject }),
  render: (thread, context) =>
    el(
      'div',
      { class: 'mail-thread' },
      el(
        'p',
        { class: 'crumbs' },
        el('a', { id: 'crumb', href: `${spaceHref(context.space!.slug)}/mail` }, 'Mail'),
      ),
      el(
        'header',
        { class: 'detail-head' },
        el('h1', { class: 'detail-title', id: 'title' }, quoteShown(thread.subject, maxSubject)),
      ),
      actions(context),
      thread.more &&
        el('p', { class: 'dim small' }, `Only the latest ${thread.items.length} messages are shown.`),
      thread.items.map((message) =>
        renderMessage(message, { slug: context.space!.slug, now: context.now, api: context.app.api }),
      ),
    ),
  mount(root, thread, { params, url }) {
    if (params.id === thread.id || url.searchParams.has('cite')) return
    root.querySelector(`#message-${CSS.escape(params.id ?? '')}`)?.scrollIntoView({ block: 'start' })
  },
  affectedBy: (event, { space_id }) => event.type === 'mail' && event.data.space_id === space_id,
})

const maxSubject = 300

/** What the composer gets names no subject: it is the sender's words, and the companion knows what is open. */
function actions({ app }: ViewContext): HTMLElement {
  const button = (id: string, name: 'companion' | 'edit' | 'task', label: string, text: string) =>
    el(
      'button',
      { class: 'button button-small', type: 'button', id, onclick: () => composeMessage(app, text) },
      icon(name),
      label,
    )
  return el(
    'div',
    { class: 'row' },
    button('ask', 'companion', 'Ask about this', 'About this mail thread: '),
    button('reply', 'edit', 'Draft a reply', 'Draft a reply to the latest message of this mail thread: '),
    button('make-task', 'task', 'Make a task', 'Create a task from this mail thread.'),
  )
}

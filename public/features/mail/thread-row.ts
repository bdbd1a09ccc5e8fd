import type { MailThread } from '../../../lib/contract/mail.ts'
import { quoteShown } from '../../../lib/text/quote-name.ts'
import { icon } from '../../ui/components/icon.ts'
import { quoted } from '../../ui/components/quoted.ts'
import { el } from '../../ui/dom.ts'
import { timeAgo } from '../../ui/time.ts'
import { entityHref } from '../../ui/words/addresses.ts'

/** A thread in the list: who wrote, the subject, how the latest message begins. */
export function renderThreadRow(thread: MailThread, slug: string, now: Date): HTMLElement {
  const { id, subject, messages, people, snippet, unread, last_direction, has_attachments } = thread
  const names = people.map(({ name, address }) => name || address).join(', ') || 'Unknown sender'
  return el(
    'li',
    { class: ['mail-row', unread && 'mail-unread'], 'data-id': id },
    el(
      'p',
      { class: 'mail-row-head' },
      el('span', { class: 'mail-people' }, quoted(names, maxNames)),
      messages > 1 && el('span', { class: 'dim small' }, String(messages)),
      has_attachments && el('span', { class: 'dim small', title: 'Has attachments' }, icon('link'), ' files'),
      el('span', { class: 'dim small mail-when' }, timeAgo(thread.last_message_at, now)),
    ),
    el(
      'a',
      { class: 'mail-subject', href: entityHref(slug, 'mail_thread', id), id: `thread-${id}` },
      unread && el('span', { class: 'visually-hidden' }, 'Unread: '),
      quoteShown(subject),
    ),
    el(
      'p',
      { class: 'dim small mail-snippet' },
      last_direction === 'sent' && 'You: ',
      quoted(plain(snippet), maxSnippet),
    ),
  )
}

const maxNames = 80
const maxSnippet = 200

/** Without the characters of Markdown, on one line. */
const plain = (text: string) =>
  text
    .replace(/[\\*_#>`|]/g, '')
    .replace(/\s+/g, ' ')
    .trim()

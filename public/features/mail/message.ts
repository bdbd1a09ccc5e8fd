import type { MailPerson, MailThreadWithMessages } from '../../../lib/contract/mail.ts'
import type { Api } from '../../app/api/api.ts'
import { quoted } from '../../ui/components/quoted.ts'
import { type Child, el } from '../../ui/dom.ts'
import { renderMarkdown } from '../../ui/markdown/markdown.ts'
import { exactTime, timeAgo } from '../../ui/time.ts'
import { renderAttachments } from './attachments.ts'

type Message = MailThreadWithMessages['items'][number]

/** A message: who wrote it and to whom, and its text. Nothing in it is loaded from elsewhere. */
export function renderMessage(
  message: Message,
  { slug, now, api }: { slug: string; now: Date; api: Pick<Api, 'get'> },
): HTMLElement {
  const { id, from, to, cc, sent_at, direction, text, attachments, unread } = message
  return el(
    'article',
    {
      class: ['mail-message', direction === 'sent' && 'mail-sent'],
      id: `message-${id}`,
      'aria-label': `Message from ${from.name || from.address || 'an unknown sender'}`,
    },
    el(
      'header',
      { class: 'mail-message-head' },
      el(
        'p',
        {},
        el('strong', {}, personNode(from)),
        ' ',
        direction === 'sent' && el('span', { class: 'badge' }, 'you'),
        unread && el('span', { class: 'badge' }, 'unread'),
      ),
      el('p', { class: 'dim small' }, 'To ', peopleNodes(to), cc.length > 0 && [' · Cc ', peopleNodes(cc)]),
      el(
        'p',
        { class: 'dim small' },
        el('span', { title: exactTime(sent_at) }, timeAgo(sent_at, now)),
        ' · ',
        el(
          'a',
          { href: `/api/mail-messages/${id}/original`, download: 'message.eml', id: `original-${id}` },
          'Original',
        ),
      ),
    ),
    text.trim() === '' ? el('p', { class: 'dim' }, 'No text.') : renderMarkdown(text, { slug }),
    attachments.length > 0 && renderAttachments({ id, attachments }, api),
  )
}

/** The name is the sender's own choice; the address is shown beside it. */
const personNode = ({ name, address }: MailPerson): Child =>
  name && address
    ? [quoted(name, 80), ' ', el('span', { class: 'dim' }, quoted(`<${address}>`, 120))]
    : quoted(name || address || 'Unknown sender', 120)

const maxNamed = 6

function peopleNodes(people: readonly MailPerson[]): Child {
  if (people.length === 0) return 'nobody named'
  const named = people.slice(0, maxNamed).map(({ name, address }) => name || address)
  const more = people.length - named.length
  return quoted(`${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`, 300)
}

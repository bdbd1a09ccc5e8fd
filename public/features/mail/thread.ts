import type {
  MailAttachment,
  MailAttachmentText,
  MailFold,
  MailPerson,
  MailThreadWithMessages,
} from '../../../lib/contract/mail.ts'
import { type FoldedPiece, splitFolds } from '../../../lib/core/text/folds.ts'
import { namePadding, paddingIn } from '../../../lib/core/text/padding.ts'
import { composeMessage } from '../../app/actions/conversation.ts'
import { type Api, messageOf } from '../../app/api/api.ts'
import { defineView, type ViewContext } from '../../app/view.ts'
import { icon } from '../../ui/components/icon.ts'
import { isolated, visible } from '../../ui/components/visible.ts'
import { type Child, el } from '../../ui/dom.ts'
import { renderMarkdown } from '../../ui/markdown/markdown.ts'
import { exactTime, timeAgo } from '../../ui/time.ts'
import { spaceHref } from '../../ui/words/addresses.ts'

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
        el('h1', { class: 'detail-title', id: 'title' }, isolated(thread.subject, maxSubject)),
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
    renderPadding(text),
    text.trim() === '' ? el('p', { class: 'dim' }, 'No text.') : renderPieces(message, slug),
    attachments.length > 0 && renderAttachments({ id, attachments }, api),
  )
}

/** The text, with what it quotes and signs with folded, and what it forwards under its sender's name. */
function renderPieces({ id, text, folds }: Message, slug: string): Child {
  const pieces = splitFolds(text, folds)
  const links = pieces.filter(({ fold }) => fold?.kind === 'links').map((piece) => piece.text)
  const markdown = (piece: FoldedPiece<MailFold>) =>
    renderMarkdown([piece.text, ...links].join('\n\n'), { slug })
  return pieces.map((piece, index) => {
    const { fold } = piece
    if (fold?.kind === 'links') return null
    if (fold === null) return markdown(piece)
    if (fold.kind === 'forward') {
      return el(
        'section',
        { class: 'mail-forward', 'aria-label': 'Forwarded message' },
        el(
          'p',
          { class: 'dim small' },
          'Forwarded',
          fold.sender !== null && [' from ', isolated(fold.sender, 120)],
        ),
        markdown(piece),
      )
    }
    return el(
      'details',
      { class: 'mail-fold', id: `fold-${id}-${index}` },
      el('summary', { class: 'dim small' }, fold.kind === 'quote' ? 'Quoted text' : 'Signature'),
      markdown(piece),
    )
  })
}

/** What pushes a part of the text out of sight is said above it. */
function renderPadding(text: string): Child {
  const padding = namePadding(paddingIn(text))
  return (
    padding !== '' && el('p', {}, el('span', { class: 'badge badge-amber' }, `This text holds ${padding}`))
  )
}

/** The name is the sender's own choice; the address is shown beside it. */
const personNode = ({ name, address }: MailPerson): Child =>
  name && address
    ? [isolated(name, 80), ' ', el('span', { class: 'dim' }, isolated(`<${address}>`, 120))]
    : isolated(name || address || 'Unknown sender', 120)

const maxNamed = 6

function peopleNodes(people: readonly MailPerson[]): Child {
  if (people.length === 0) return 'nobody named'
  const names = people.slice(0, maxNamed).map(({ name, address }) => name || address)
  const more = people.length - names.length
  return isolated(`${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`, 300)
}

/** The attachments of a message: each can be downloaded, or read as text. The browser itself shows none. */
function renderAttachments(
  { id, attachments }: { id: string; attachments: readonly MailAttachment[] },
  api: Pick<Api, 'get'>,
): HTMLElement {
  return el(
    'ul',
    { class: 'stack', 'aria-label': 'Attachments' },
    attachments.map(({ name, bytes }, index) => {
      const at = `/api/mail-messages/${id}/attachments/${index + 1}`
      return el(
        'li',
        { class: 'small' },
        el('a', { href: at, download: name, id: `attachment-${id}-${index + 1}` }, isolated(name, 120)),
        ` · ${sizeText(bytes)}`,
        renderText(`attachment-text-${id}-${index + 1}`, { path: `${at}/text`, name, api }),
      )
    }),
  )
}

type TextOptions = { path: string; name: string; api: Pick<Api, 'get'> }

function renderText(id: string, { path, name, api }: TextOptions): HTMLElement {
  const place = el('div', { 'aria-live': 'polite' })
  const load = async () => {
    if (place.hasChildNodes()) return
    place.replaceChildren(el('p', { class: 'dim' }, 'Reading…'))
    try {
      const { text, problem } = await api.get<MailAttachmentText>(path)
      place.replaceChildren(
        ...(problem === null ? [] : [el('p', { class: 'dim' }, visible(problem))]),
        ...(text === ''
          ? []
          : [
              el(
                'pre',
                { class: 'tool-result', tabindex: 0, 'aria-label': `Text of ${name}` },
                visible(text),
              ),
            ]),
      )
    } catch (error) {
      place.replaceChildren()
      place.append(el('p', { class: 'problem', role: 'alert' }, messageOf(error)))
    }
  }
  const details = el(
    'details',
    {
      id,
      ontoggle: () => {
        if (details.open) void load()
      },
    },
    el('summary', {}, 'Show text'),
    place,
  )
  return details
}

const sizeText = (bytes: number): string =>
  bytes < 1000
    ? `${bytes} B`
    : bytes < 1_000_000
      ? `${Math.round(bytes / 1000)} kB`
      : `${(bytes / 1_000_000).toFixed(1)} MB`

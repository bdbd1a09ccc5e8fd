import type { List } from '../../../lib/contract/list.ts'
import type { MailAccount, MailThread } from '../../../lib/contract/mail.ts'
import { changeQuery, defineView, type LoadContext, type View, type ViewContext } from '../../app/view.ts'
import { icon } from '../../ui/components/icon.ts'
import { isolated } from '../../ui/components/visible.ts'
import { type Child, el } from '../../ui/dom.ts'
import { timeAgo } from '../../ui/time.ts'
import { entityHref, withQuery } from '../../ui/words/addresses.ts'
import { threadView } from './thread.ts'

/** The threads of a Space, or one of them: one chunk, since who opens the list opens a thread next. */
export const view: View = {
  open: (context) => (context.params.id ? threadView : threadsView).open(context),
}

/** The mail threads of a Space. */
const threadsView = defineView<MailData>({
  load: loadMail,
  title: (_data, { space }) => `Mail · ${space!.name}`,
  layout: 'wide',
  render: (data, context) =>
    el(
      'div',
      { class: 'list-view' },
      el('header', { class: 'list-head' }, el('h1', {}, 'Mail')),
      renderAccountNotes(data.accounts),
      isEmpty(data) ? nothingYet(data) : [searchForm(data, context), threads(data, context)],
    ),
  affectedBy: (event, _data, { space }) => event.type === 'mail' && event.data.space_id === space!.id,
})

const isEmpty = ({ threads, query, from, isOlder }: MailData): boolean =>
  threads.length === 0 && query === '' && from === '' && !isOlder

function nothingYet({ accounts }: MailData): HTMLElement {
  return el(
    'section',
    { class: 'empty' },
    accounts.length > 0
      ? el('p', { class: 'dim' }, 'No mail yet. Messages are shown here as they come in.')
      : [
          el('p', {}, 'No mail in this Space.'),
          el(
            'p',
            { class: 'dim' },
            'Connect an account, and its threads are shown here. Nothing there is marked, moved or sent.',
          ),
          el(
            'a',
            { class: 'button button-primary', href: '/settings/mail' },
            icon('plus'),
            'Connect account',
          ),
        ],
  )
}

function searchForm({ query, from }: MailData, context: ViewContext): HTMLElement {
  const field = (name: string, value: string, label: string) =>
    el('input', {
      class: 'field',
      id: `mail-${name}`,
      name,
      type: 'search',
      value,
      maxlength: 500,
      autocomplete: 'off',
      'aria-label': label,
      placeholder: label,
    })
  const form = el(
    'form',
    { class: 'mail-search', role: 'search', id: 'mail-search', onsubmit: search },
    field('q', query, 'Search mail'),
    field('from', from, 'From'),
    el('button', { class: 'button', type: 'submit' }, icon('search'), 'Search'),
  )
  return form

  function search(event: SubmitEvent): void {
    event.preventDefault()
    const words = new FormData(form)
    const value = (name: string) => String(words.get(name) ?? '').trim()
    void changeQuery(context, { q: value('q'), from: value('from'), cursor: null })
  }
}

function threads(data: MailData, context: ViewContext): Child {
  const { space, now } = context
  if (data.threads.length === 0) {
    return el('p', { class: 'dim list-empty', role: 'status' }, 'No mail matches this search.')
  }
  const page = (label: string, cursor: string | null, id: string) =>
    el(
      'button',
      { class: 'button', type: 'button', id, onclick: () => changeQuery(context, { cursor }) },
      label,
    )
  return [
    el(
      'ul',
      { class: 'mail-rows', id: 'threads', 'aria-label': 'Threads' },
      data.threads.map((thread) => renderThreadRow(thread, space!.slug, now)),
    ),
    el(
      'div',
      { class: 'row' },
      data.isOlder && page('Back to the first', null, 'first'),
      data.next !== null && page('Show more', data.next, 'more'),
    ),
  ]
}

/** What the owner should know of the accounts: that one is at work, or why one is not. */
function renderAccountNotes(accounts: readonly MailAccount[]): Child {
  return accounts.flatMap(({ id, address, state, error }) => {
    if (error !== null) {
      return el(
        'p',
        { class: 'problem', id: `problem-${id}` },
        el('strong', {}, isolated(address, 80)),
        ' ',
        state === 'stopped' && el('span', { class: 'badge' }, 'Stopped'),
        ' ',
        isolated(error, 300),
        ' ',
        el('a', { href: '/settings/mail' }, 'Mail settings'),
      )
    }
    return state === 'syncing' || state === 'connecting' || state === 'waiting'
      ? el('p', { class: 'dim small', role: 'status' }, 'Syncing ', isolated(address, 80), '…')
      : []
  })
}

type MailData = {
  accounts: MailAccount[]
  threads: MailThread[]
  query: string
  from: string
  /** Whether this is not the first page. */
  isOlder: boolean
  next: string | null
}

async function loadMail({ api, space, url }: LoadContext): Promise<MailData> {
  const at = `/api/spaces/${space!.id}`
  const [query, from, cursor] = ['q', 'from', 'cursor'].map((name) => url.searchParams.get(name) ?? '')
  const params = { q: query || null, from: from || null, cursor: cursor || null }
  const [accounts, threads] = await Promise.all([
    api.get<List<MailAccount>>(`${at}/mail-accounts`),
    api.get<List<MailThread>>(withQuery(`${at}/mail-threads`, params)),
  ])
  return {
    accounts: accounts.items,
    threads: threads.items,
    query: query!,
    from: from!,
    isOlder: cursor !== '',
    next: threads.next_cursor,
  }
}

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
      el('span', { class: 'mail-people' }, isolated(names, maxNames)),
      messages > 1 && el('span', { class: 'dim small' }, String(messages)),
      has_attachments && el('span', { class: 'dim small', title: 'Has attachments' }, icon('link'), ' files'),
      el('span', { class: 'dim small mail-when' }, timeAgo(thread.last_message_at, now)),
    ),
    el(
      'a',
      { class: 'mail-subject', href: entityHref(slug, 'mail_thread', id), id: `thread-${id}` },
      unread && el('span', { class: 'visually-hidden' }, 'Unread: '),
      isolated(subject),
    ),
    el(
      'p',
      { class: 'dim small mail-snippet' },
      last_direction === 'sent' && 'You: ',
      isolated(plain(snippet), maxSnippet),
    ),
  )
}

const maxNames = 80

const maxSnippet = 200

/** Without the characters of Markdown, on one line. */
const plain = (text: string) =>
  text
    .replace(/!?\[([^\]\n]{0,200})\](?:\([^()\s]{0,2000}\)|\[\d{1,6}\])/g, '$1')
    .replace(/\\(?=[^\s\p{L}\p{N}])|(?<!\\)(?:\*{1,3}|`)|^[#>|-]+ /gmu, '')
    .replace(/\s+/g, ' ')
    .trim()

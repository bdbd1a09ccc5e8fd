import { changeQuery } from '../../app/change-query.ts'
import { defineView, type ViewContext } from '../../app/view.ts'
import { icon } from '../../ui/components/icon.ts'
import { type Child, el } from '../../ui/dom.ts'
import { renderAccountNotes } from './account-notes.ts'
import { loadMail, type MailData } from './mail-data.ts'
import { renderThreadRow } from './thread-row.ts'

/** The mail threads of a Space. */
export const threadsView = defineView<MailData>({
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

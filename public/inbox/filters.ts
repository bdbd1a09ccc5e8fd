import { icon } from '../components/icon.ts'
import { el } from '../dom.ts'
import { type KindType, kindNames } from '../entities/addresses.ts'
import type { InboxContext } from './inbox-data.ts'
import { type InboxQuery, inboxHref, isFiltered } from './inbox-query.ts'

type FilterName = 'space' | 'agent' | 'kind' | 'state'
type Option = readonly [value: string, label: string]

/** The tabs for pending and decided drafts, and the filters. */
export function renderFilters({ data, app }: InboxContext): HTMLElement[] {
  const { query } = data
  return [
    el(
      'nav',
      { class: 'inbox-tabs', 'aria-label': 'Drafts' },
      tab(query, 'waiting', 'Pending'),
      tab(query, 'decided', 'History'),
    ),
    el(
      'details',
      { class: 'inbox-filters', id: 'inbox-filters', open: isFiltered(query) },
      el('summary', { class: 'button button-small button-quiet' }, icon('filter'), 'Filter'),
      el('div', { class: 'inbox-filter-fields' }, fields(data).map(field)),
    ),
  ]

  function field([name, label, options]: readonly [FilterName, string, readonly Option[]]): HTMLElement {
    const id = `inbox-${name}`
    return el(
      'label',
      { class: 'inbox-filter' },
      el('span', {}, label),
      el(
        'select',
        {
          class: 'field',
          id,
          onchange: async (event: Event) => {
            const { value } = event.currentTarget as HTMLSelectElement
            await app.navigate(inboxHref({ ...query, [name]: value || null }))
            document.getElementById(id)?.focus()
          },
        },
        [['', 'Any'] as const, ...options].map(([value, text]) =>
          el('option', { value, selected: (query[name] ?? '') === value }, text),
        ),
      ),
    )
  }
}

function tab(query: InboxQuery, name: InboxQuery['tab'], label: string): HTMLElement {
  const href = inboxHref({ ...query, tab: name, state: null })
  return el('a', { class: 'inbox-tab', href, 'aria-current': query.tab === name ? 'page' : null }, label)
}

const fields = ({ query, agents, spaces }: InboxContext['data']) =>
  [
    ['space', 'Space', spaces.map(({ slug, name }): Option => [slug, name])],
    ['agent', 'Agent', agents.map(({ slug, name }): Option => [slug, name])],
    [
      'kind',
      'Kind',
      (Object.keys(kindNames) as KindType[]).map((kind): Option => [kind, kindNames[kind].one]),
    ],
    ['state', 'State', query.tab === 'waiting' ? waitingStates : decidedStates],
  ] as const

const waitingStates: readonly Option[] = [
  ['ready', 'Ready to approve'],
  ['stale', 'Changed since'],
]
const decidedStates: readonly Option[] = [
  ['approved', 'Approved'],
  ['rejected', 'Rejected'],
  ['obsolete', 'Obsolete'],
  ['superseded', 'Replaced'],
  ['retracted', 'Withdrawn'],
]

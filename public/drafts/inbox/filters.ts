import { type FilterOption, filterBar, filterChip } from '../../ui/components/chips/filter-chip.ts'
import { el } from '../../ui/dom.ts'
import { type KindType, kindNames } from '../../ui/words/addresses.ts'
import type { InboxContext } from './inbox-data.ts'
import { type InboxQuery, inboxHref } from './inbox-query.ts'

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
    filterBar(
      fields(data).map(([name, label, options]) =>
        filterChip({
          id: `inbox-${name}`,
          label,
          options,
          value: query[name],
          choose: (value) => app.navigate(inboxHref({ ...query, [name]: value })),
        }),
      ),
    ),
  ]
}

function tab(query: InboxQuery, name: InboxQuery['tab'], label: string): HTMLElement {
  const href = inboxHref({ ...query, tab: name, state: null })
  return el('a', { class: 'inbox-tab', href, 'aria-current': query.tab === name ? 'page' : null }, label)
}

const fields = ({ query, agents, spaces }: InboxContext['data']) =>
  [
    ['space', 'Space', spaces.map(({ slug, name }): FilterOption => [slug, name])],
    ['agent', 'Agent', agents.map(({ slug, name }): FilterOption => [slug, name])],
    [
      'kind',
      'Kind',
      (Object.keys(kindNames) as KindType[])
        .filter((kind) => kind !== 'page_view')
        .map((kind): FilterOption => [kind, kindNames[kind].one]),
    ],
    ['state', 'State', query.tab === 'waiting' ? waitingStates : decidedStates],
  ] as const

const waitingStates: readonly FilterOption[] = [
  ['ready', 'Ready to approve'],
  ['stale', 'Changed since'],
]
const decidedStates: readonly FilterOption[] = [
  ['approved', 'Approved'],
  ['rejected', 'Rejected'],
  ['obsolete', 'Obsolete'],
  ['superseded', 'Replaced'],
  ['retracted', 'Withdrawn'],
]

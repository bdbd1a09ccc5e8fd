import { changeQuery } from '../../app/change-query.ts'
import type { ViewContext } from '../../app/view.ts'
import { type FilterOption, filterBar, filterChip } from '../../ui/components/chips/filter-chip.ts'
import { dateChip } from '../../ui/components/dates/date-chip.ts'
import { icon } from '../../ui/components/icon.ts'
import { el } from '../../ui/dom.ts'
import { everySpace, kindNames } from '../../ui/words/addresses.ts'
import type { SearchData } from './search-data.ts'

const statuses: readonly FilterOption[] = [
  ['open,in_progress,active,on_hold', 'Not finished'],
  ['open', 'Open'],
  ['in_progress', 'In progress'],
  ['active', 'Active'],
  ['on_hold', 'On hold'],
  ['done', 'Done'],
  ['cancelled', 'Cancelled'],
]

/** The field and the filters. Works as a plain form, too. */
export function renderSearchForm(data: SearchData, context: ViewContext): HTMLElement {
  return el(
    'form',
    { class: 'search-form', role: 'search', action: '/search', id: 'search-form' },
    el(
      'div',
      { class: 'quick-add' },
      icon('search'),
      el('input', {
        class: 'quick-add-field',
        id: 'search-field',
        type: 'search',
        name: 'q',
        value: data.query,
        maxlength: 2000,
        autocomplete: 'off',
        'aria-label': 'Search for',
        placeholder: 'Words, an exact phrase in "quotes", or tag:name',
      }),
    ),
    renderFilters(data, context),
  )
}

function renderFilters({ spaceId, kind, status, since }: SearchData, context: ViewContext): HTMLElement {
  const { spaces } = context.app.state.get()
  const kinds = Object.entries(kindNames).flatMap(([id, { many }]): FilterOption[] =>
    id === 'page_view' ? [] : [[id, many]],
  )
  const choice = (name: string, label: string, options: readonly FilterOption[], value: string | null) =>
    filterChip({
      id: `search-${name}`,
      label,
      options,
      value,
      // No Space in the address is the one that was open last.
      choose: (to) => changeQuery(context, { [name]: to ?? (name === 'space' ? everySpace : null) }),
    })
  return filterBar(
    choice(
      'space',
      'Space',
      spaces.map(({ id, name }) => [id, name]),
      spaceId,
    ),
    choice('kind', 'Kind', [...kinds, ['conversation', 'Conversations'], ['mail_message', 'Mail']], kind),
    choice('status', 'Status', statuses, status),
    dateChip({
      id: 'search-since',
      label: 'Edited since',
      value: since,
      now: context.now,
      choose: (day) => changeQuery(context, { since: day }),
    }),
  )
}

import { kindNames } from '../addresses.ts'
import { changeQuery } from '../change-query.ts'
import { icon } from '../components/icon.ts'
import { el } from '../dom.ts'
import type { ViewContext } from '../view.ts'
import type { SearchData } from './search-data.ts'

const statuses = {
  'open,in_progress,active,on_hold': 'Not finished',
  open: 'Open',
  in_progress: 'In progress',
  active: 'Active',
  on_hold: 'On hold',
  done: 'Done',
  cancelled: 'Cancelled',
}

/** The field and what narrows the results down. Works as a plain form, too. */
export function renderSearchForm(
  { query, spaceId, kind, status, since }: SearchData,
  context: ViewContext,
): HTMLElement {
  const { spaces } = context.app.state.get()
  const options = (names: Record<string, string>, value: string | null) =>
    Object.entries(names).map(([id, name]) => el('option', { value: id, selected: id === value }, name))
  const onchange = ({ target }: Event) => {
    if (!(target instanceof HTMLSelectElement || target instanceof HTMLInputElement)) return
    const { name, value } = target
    changeQuery(context, { [name]: value })
  }
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
        value: query,
        maxlength: 2000,
        autocomplete: 'off',
        'aria-label': 'Search for',
        placeholder: 'Words, or an exact phrase in "quotes"',
      }),
    ),
    el(
      'div',
      { class: 'filter-bar' },
      el(
        'select',
        {
          class: ['filter', spaceId && 'filter-set'],
          id: 'search-space',
          name: 'space',
          'aria-label': 'Space',
          onchange,
        },
        el('option', { value: '' }, 'All Spaces'),
        options(Object.fromEntries(spaces.map(({ id, name }) => [id, name])), spaceId),
      ),
      el(
        'select',
        {
          class: ['filter', kind && 'filter-set'],
          id: 'search-kind',
          name: 'kind',
          'aria-label': 'Kind',
          onchange,
        },
        el('option', { value: '' }, 'All kinds'),
        options(Object.fromEntries(Object.entries(kindNames).map(([id, { many }]) => [id, many])), kind),
        options({ conversation: 'Conversations' }, kind),
      ),
      el(
        'select',
        {
          class: ['filter', status && 'filter-set'],
          id: 'search-status',
          name: 'status',
          'aria-label': 'Status',
          onchange,
        },
        el('option', { value: '' }, 'Any status'),
        options(statuses, status),
      ),
      el('input', {
        class: ['filter', since && 'filter-set'],
        id: 'search-since',
        type: 'date',
        name: 'since',
        value: since ?? '',
        'aria-label': 'Changed since',
        title: 'Changed since',
        onchange,
      }),
    ),
  )
}

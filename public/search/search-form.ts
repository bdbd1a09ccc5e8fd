import { changeQuery } from '../app/change-query.ts'
import type { ViewContext } from '../app/view.ts'
import { icon } from '../components/icon.ts'
import { el } from '../dom.ts'
import { everySpace, kindNames } from '../entities/addresses.ts'
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

type Filter = {
  name: string
  label: string
  /** The option for no filter, and how the address says it. */
  any: string
  none?: string
  options: Record<string, string>
  value: string | null
}

function renderFilters({ spaceId, kind, status, since }: SearchData, context: ViewContext): HTMLElement {
  const { spaces } = context.app.state.get()
  const spaceNames = Object.fromEntries(spaces.map(({ id, name }) => [id, name]))
  const kinds = Object.fromEntries(
    Object.entries(kindNames).flatMap(([id, { many }]) => (id === 'page_view' ? [] : [[id, many]])),
  )
  const filters: Filter[] = [
    {
      name: 'space',
      label: 'Space',
      any: 'All Spaces',
      none: everySpace,
      options: spaceNames,
      value: spaceId,
    },
    {
      ...{ name: 'kind', label: 'Kind', any: 'All kinds', value: kind },
      options: { ...kinds, conversation: 'Conversations', mail_message: 'Mail' },
    },
    { name: 'status', label: 'Status', any: 'Any status', options: statuses, value: status },
  ]
  const onchange = ({ target }: Event) => {
    if (!(target instanceof HTMLSelectElement || target instanceof HTMLInputElement)) return
    changeQuery(context, { [target.name]: target.value })
  }
  return el(
    'div',
    { class: 'filter-bar' },
    filters.map((filter) => renderChoice(filter, onchange)),
    el('input', {
      class: ['filter', since && 'filter-set'],
      id: 'search-since',
      type: 'date',
      name: 'since',
      value: since ?? '',
      'aria-label': 'Edited since',
      title: 'Edited since',
      onchange,
    }),
  )
}

const renderChoice = (
  { name, label, any, none = '', options, value }: Filter,
  onchange: (event: Event) => void,
): HTMLElement =>
  el(
    'select',
    {
      class: ['filter', value && 'filter-set'],
      id: `search-${name}`,
      name,
      'aria-label': label,
      onchange,
    },
    el('option', { value: none }, any),
    Object.entries(options).map(([id, text]) => el('option', { value: id, selected: id === value }, text)),
  )

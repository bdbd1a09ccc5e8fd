import type { List } from '../../../lib/contract/list.ts'
import type { SearchItem } from '../../../lib/contract/space/search.ts'
import { messageOf } from '../../app/api/api.ts'
import { changeQuery, defineView, type ViewContext } from '../../app/view.ts'
import { chip, type FilterOption, filterBar, filterChip } from '../../ui/components/filter-chip.ts'
import { icon } from '../../ui/components/icon.ts'
import { el } from '../../ui/dom.ts'
import { dayText } from '../../ui/time.ts'
import { everySpace, kindNames } from '../../ui/words/addresses.ts'
import { countText, loadSearch, renderResults, resultNodes, resultsPath, type SearchData } from './results.ts'

export const view = defineView<SearchData>({
  load: loadSearch,
  title: ({ query }) => (query ? `${query} · Search` : 'Search'),
  render: (data, context) => [
    el('h1', { class: 'visually-hidden' }, 'Search'),
    renderSearchForm(data, context),
    el('div', { id: 'results' }, renderResults(data, context)),
  ],
  mount: mountSearch,
})

const debounceMs = 200

/** Searches while the query is typed, and adds the keys of the results. */
function mountSearch(root: HTMLElement, data: SearchData, context: ViewContext): void {
  const { query } = data
  const { app, signal } = context
  const field = root.querySelector<HTMLInputElement>('#search-field')
  if (!field) return
  // After the router has focused the column.
  if (query === '') queueMicrotask(() => document.activeElement?.matches('body, #content') && field.focus())
  let timer = 0
  const search = (changes: Record<string, string | number | null>) => {
    clearTimeout(timer)
    timer = 0
    changeQuery(context, changes).catch((error: unknown) => app.toast(messageOf(error), { tone: 'problem' }))
  }
  const searchTyped = () => search({ q: field.value.trim() })
  signal.addEventListener('abort', () => clearTimeout(timer))

  field.addEventListener(
    'input',
    () => {
      clearTimeout(timer)
      timer = window.setTimeout(searchTyped, debounceMs)
    },
    { signal },
  )
  // Who chooses a filter narrows what is in the field.
  field.addEventListener('blur', () => timer !== 0 && searchTyped(), { signal })
  root.querySelector('#search-form')?.addEventListener(
    'submit',
    (event) => {
      event.preventDefault()
      searchTyped()
    },
    { signal },
  )
  root.addEventListener(
    'click',
    ({ target }) => {
      const what = target instanceof Element && target.closest<HTMLElement>('[data-do]')?.dataset.do
      if (what === 'clear') search({ space: everySpace, kind: null, status: null, since: null })
    },
    { signal },
  )
  field.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'ArrowDown') return
      event.preventDefault()
      step(root, 1)
    },
    { signal },
  )
  const more = root.querySelector<HTMLButtonElement>('#more-results')
  more?.addEventListener('click', () => showMore(root, more, data, context), { signal })
  addKeys(root, field, context)
}

/** Appends the next results and focuses the first of them. */
async function showMore(
  root: HTMLElement,
  more: HTMLButtonElement,
  data: SearchData,
  context: ViewContext,
): Promise<void> {
  const conversations = root.querySelector<HTMLElement>('#results-said')!
  const resultCount = () => root.querySelectorAll('.result').length
  more.disabled = true
  try {
    const path = resultsPath(data, more.dataset.cursor ?? null)
    const { items, next_cursor } = await context.app.api.get<List<SearchItem>>(path)
    const { written, conversations: nodes } = resultNodes(items, { data, from: resultCount() }, context)
    root.querySelector('#results-written')!.append(...written)
    conversations.querySelector('ol')!.append(...nodes)
    conversations.hidden &&= nodes.length === 0
    const first = written[0] ?? nodes[0]
    first?.querySelector<HTMLElement>('.result-link')?.focus()
    root.querySelector('#results-count')!.textContent = countText(resultCount(), next_cursor)
    more.dataset.cursor = next_cursor ?? ''
    more.hidden = next_cursor === null
  } catch (error) {
    context.app.toast(messageOf(error), { tone: 'problem' })
  }
  more.disabled = false
}

function addKeys(root: HTMLElement, field: HTMLInputElement, { app, signal }: ViewContext): void {
  const group = 'Search'
  app.keys.add(
    [
      { key: '/', label: 'Focus search field', run: () => field.select(), group },
      { key: 'j', label: 'Next result', run: () => step(root, 1), group },
      { key: 'k', label: 'Previous result', run: () => step(root, -1), group },
      { key: 'ArrowDown', label: 'Next result', run: () => step(root, 1), group, within: root },
      { key: 'ArrowUp', label: 'Previous result', run: () => step(root, -1), group, within: root },
    ],
    signal,
  )
}

/** Focuses another result; before the first is the field. */
function step(root: HTMLElement, by: number): void {
  const field = root.querySelector<HTMLElement>('#search-field')
  const links = [...root.querySelectorAll<HTMLElement>('.result-link')]
  const to = links.indexOf(document.activeElement as HTMLElement) + by
  if (to < 0) field?.focus()
  else links[Math.min(to, links.length - 1)]?.focus()
}

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
function renderSearchForm(data: SearchData, context: ViewContext): HTMLElement {
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

type DateChip = {
  id: string
  label: string
  /** YYYY-MM-DD; `null` for none. */
  value: string | null
  now: Date
  choose: (day: string | null) => unknown
}

/** A filter by a day that has been, such as “Edited since”. The focus stays with it. */
function dateChip({ id, label, value, now, choose }: DateChip): HTMLElement {
  return chip({
    id,
    label,
    chosen: value && dayText(value, now),
    opens: 'dialog',
    choose,
    async open(face, set) {
      const { openCalendar } = await import('../../ui/components/calendar.ts')
      openCalendar(face, { label, value, now, isPast: true, choose: set })
    },
  })
}

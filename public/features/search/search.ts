import { defineView } from '../../app/view.ts'
import { el } from '../../ui/dom.ts'
import { mountSearch } from './mount-search.ts'
import { renderResults } from './results.ts'
import { loadSearch, type SearchData } from './search-data.ts'
import { renderSearchForm } from './search-form.ts'

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

import type { SearchItem } from '../../lib/contract/space/search.ts'
import { openConversation } from '../actions/open-conversation.ts'
import type { ViewContext } from '../app/view.ts'
import { kindIcon } from '../components/icon.ts'
import { type Child, el } from '../dom.ts'
import { entityHref, kindLabel, spaceHref } from '../entities/addresses.ts'
import { markedNodes } from './marked.ts'
import type { SearchData } from './search-data.ts'
import { markWords, queryWords } from './snippet.ts'

/** The passages found; each links to its place. */
export function renderResults(data: SearchData, context: ViewContext): Child {
  const { items, query, cursor } = data
  if (query === '')
    return [
      el('p', { class: 'dim' }, 'Search all Spaces: titles, texts, files and conversations.'),
      suggestions(data, context, 'Recently edited'),
    ]
  if (items.length === 0) return nothing(data, context)
  return [
    el('p', { class: 'dim small', id: 'results-count', role: 'status' }, countText(items.length, cursor)),
    el('ol', { class: 'results' }, resultNodes(items, { query, from: 0 }, context)),
    cursor &&
      el(
        'button',
        { class: 'button', type: 'button', id: 'more-results', 'data-cursor': cursor },
        'Show more',
      ),
  ]
}

/** Entries of the list, the first of them at index `from`. */
export function resultNodes(
  items: readonly SearchItem[],
  { query, from }: { query: string; from: number },
  context: ViewContext,
): HTMLElement[] {
  const words = queryWords(query)
  return items.map((item, index) => result(item, { words, index: from + index }, context))
}

/** The number of passages; with a cursor, so far. */
export const countText = (count: number, cursor: string | null): string =>
  count === 1 ? '1 passage' : `${cursor === null ? count : `Top ${count}`} passages`

function result(
  item: SearchItem,
  { words, index }: { words: string[]; index: number },
  { app }: ViewContext,
): HTMLElement {
  const { space_id, entity_type, entity_id, title, heading_path, snippet, cite } = item
  const space = app.state.get().spaces.find(({ id }) => id === space_id)
  const said = entity_type === 'conversation'
  const href = space && (said ? spaceHref(space.slug) : entityHref(space.slug, entity_type, entity_id, cite))
  const open = (event: Event) => {
    event.preventDefault()
    openConversation(app, item)
  }
  return el(
    'li',
    { class: 'result' },
    el(
      'h2',
      { class: 'result-title' },
      kindIcon(entity_type),
      el(
        'a',
        { href, id: `result-${index}`, class: 'result-link', onclick: said ? open : undefined },
        markedNodes(markWords(title || 'Conversation', words)),
      ),
    ),
    el('p', { class: 'result-text' }, markedNodes(snippet)),
    el(
      'p',
      { class: 'result-meta' },
      [kindLabel(entity_type), space?.name, heading_path.join(' › ')].filter(Boolean).join(' · '),
    ),
  )
}

function nothing(data: SearchData, context: ViewContext): Child {
  const isFiltered = [data.spaceId, data.kind, data.status, data.since].some((filter) => filter !== null)
  return el(
    'div',
    { class: 'empty' },
    el('h2', {}, `No results for “${data.query}”`),
    el(
      'p',
      {},
      isFiltered
        ? 'Try without filters. '
        : 'Try fewer or different words. Word forms are matched, synonyms are not.',
    ),
    isFiltered && el('button', { class: 'button', type: 'button', 'data-do': 'clear' }, 'Clear filters'),
    suggestions(data, context, 'Similar titles'),
  )
}

function suggestions({ suggestions: items }: SearchData, { app }: ViewContext, name: string): Child {
  const { spaces } = app.state.get()
  const links = items.flatMap(({ space_id, entity_type, entity_id, title }, index) => {
    const space = spaces.find(({ id }) => id === space_id)
    const href = space && entityHref(space.slug, entity_type, entity_id)
    if (!href) return []
    return el(
      'li',
      { class: 'row-item' },
      kindIcon(entity_type),
      el('a', { class: 'row-title result-link', href, id: `suggestion-${index}` }, title),
      el('span', { class: 'dim small' }, kindLabel(entity_type)),
    )
  })
  return (
    links.length > 0 &&
    el(
      'section',
      { class: 'suggestions' },
      el('h2', { class: 'task-heading' }, name),
      el('ul', { class: 'rows' }, links),
    )
  )
}

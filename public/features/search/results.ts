import type { OtherPassage, SearchItem, SearchPage, Suggestion } from '../../../lib/contract/space/search.ts'
import { openConversation } from '../../app/actions/threads.ts'
import type { LoadContext, ViewContext } from '../../app/view.ts'
import { kindIcon } from '../../ui/components/icon.ts'
import { markedNodes, markWords, queryWords } from '../../ui/components/snippet.ts'
import { type Child, el } from '../../ui/dom.ts'
import {
  entityHref,
  isKind,
  type KindType,
  kindLabel,
  spaceHref,
  withQuery,
} from '../../ui/words/addresses.ts'

/** What was found, each with its best passage and linked to its place; conversations last. */
export function renderResults(data: SearchData, context: ViewContext): Child {
  const { items, query, cursor, missing } = data
  if (query === '')
    return [
      el('p', { class: 'dim' }, 'Search all Spaces: titles, texts, files and conversations.'),
      suggestions(data, context, 'Recently edited'),
    ]
  if (items.length === 0) return nothing(data, context)
  return [
    el('p', { class: 'dim small', id: 'results-count', role: 'status' }, countText(items.length, cursor)),
    missing.length > 0 && el('p', { class: 'small', id: 'results-missing' }, missingText(missing)),
    resultLists(data, context),
    cursor &&
      el(
        'button',
        { class: 'button', type: 'button', id: 'more-results', 'data-cursor': cursor },
        'Show more',
      ),
  ]
}

/** Two lists: what is written down, then conversations; one list where only conversations were asked for. */
function resultLists(data: SearchData, context: ViewContext): Child {
  const title = 'results-said-title'
  const { written, conversations } = resultNodes(data.items, { data, from: 0 }, context)
  return [
    el('ol', { class: 'results', id: 'results-written' }, written),
    el(
      'section',
      { id: 'results-said', hidden: conversations.length === 0 },
      el('h2', { class: 'task-heading', id: title }, 'In conversations'),
      el('ol', { class: 'results', 'aria-labelledby': title }, conversations),
    ),
  ]
}

/** Entries of the two lists, the first of them at index `from`. */
export function resultNodes(
  items: readonly SearchItem[],
  { data: { query, kind }, from }: { data: SearchData; from: number },
  context: ViewContext,
): { written: HTMLElement[]; conversations: HTMLElement[] } {
  const words = queryWords(query)
  // One that stands before a page answers better than it, and stays there.
  const lastWritten = items.findLastIndex(({ entity_type }) => entity_type !== 'conversation')
  const isAside = (index: number) => index > lastWritten && kind !== 'conversation'
  const all = items.map((item, index) => ({
    aside: isAside(index),
    node: result(item, { words, index: from + index }, context),
  }))
  const nodes = (aside: boolean) => all.filter((each) => each.aside === aside).map(({ node }) => node)
  return { written: nodes(false), conversations: nodes(true) }
}

/** That results lack what was asked for in quotation marks. */
const missingText = (phrases: readonly string[]): string =>
  `No exact match for ${phrases.map((phrase) => `“${phrase}”`).join(', ')}. Similar:`

/** The number of results; with a cursor, so far. */
export const countText = (count: number, cursor: string | null): string =>
  count === 1 ? '1 result' : `${cursor === null ? count : `Top ${count}`} results`

function result(
  item: SearchItem,
  { words, index }: { words: string[]; index: number },
  { app }: ViewContext,
): HTMLElement {
  const { space_id, entity_type, entity_id, title, heading_path, snippet, cite, others, same } = item
  const space = app.state.get().spaces.find(({ id }) => id === space_id)
  const isConversation = entity_type === 'conversation'
  const hrefOf = (line: string) =>
    space && (isConversation ? spaceHref(space.slug) : entityHref(space.slug, entity_type, entity_id, line))
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
        {
          href: hrefOf(cite),
          id: `result-${index}`,
          class: 'result-link',
          onclick: isConversation ? open : undefined,
        },
        markedNodes(markWords(title || 'Conversation', words)),
      ),
    ),
    snippet.length > 0 && el('p', { class: 'result-text' }, markedNodes(snippet)),
    el(
      'p',
      { class: 'result-meta' },
      [kindLabel(entity_type), space?.name, heading_path.join(' › ')].filter(Boolean).join(' · '),
    ),
    same.length > 0 &&
      el(
        'details',
        { class: 'result-others', id: `same-${index}` },
        el('summary', {}, `and ${same.length} like it`),
        el(
          'ul',
          {},
          same.map((twin) =>
            el(
              'li',
              {},
              el(
                'a',
                {
                  href: space && entityHref(space.slug, twin.entity_type, twin.entity_id, cite),
                  class: 'result-other',
                },
                twin.title || 'Untitled',
              ),
            ),
          ),
        ),
      ),
    others.length > 0 &&
      el(
        'details',
        { class: 'result-others', id: `others-${index}` },
        el('summary', {}, `${others.length} more in this ${kindLabel(entity_type).toLowerCase()}`),
        el(
          'ul',
          {},
          others.map((other) =>
            otherPassage(other, { href: hrefOf(other.cite), onclick: isConversation && open }),
          ),
        ),
      ),
  )
}

const otherPassage = (
  { heading_path, snippet }: OtherPassage,
  { href, onclick }: { href: string | null | undefined; onclick: ((event: Event) => void) | false },
): HTMLElement =>
  el(
    'li',
    {},
    heading_path.length > 0 && el('p', { class: 'result-meta' }, heading_path.join(' › ')),
    el('a', { href, class: 'result-other', onclick: onclick || undefined }, markedNodes(snippet)),
  )

function nothing(data: SearchData, context: ViewContext): Child {
  const isNarrowed = [data.kind, data.status, data.since].some((filter) => filter !== null)
  const isFiltered = isNarrowed || data.spaceId !== null
  return el(
    'div',
    { class: 'empty' },
    el('h2', {}, `No results for “${data.query}”`),
    el(
      'p',
      {},
      isFiltered
        ? `Try ${isNarrowed ? 'without filters' : 'the other Spaces'}. `
        : 'Try fewer or different words. Word forms are matched, synonyms are not.',
    ),
    isFiltered &&
      el(
        'button',
        { class: 'button', type: 'button', 'data-do': 'clear' },
        isNarrowed ? 'Clear filters' : 'Search all Spaces',
      ),
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

export type SearchData = {
  query: string
  /** The id of a Space, or null for all. */
  spaceId: string | null
  kind: KindType | 'conversation' | 'mail_message' | null
  /** Statuses, separated by commas. */
  status: string | null
  /** The first day of the last change. */
  since: string | null
  items: SearchItem[]
  /** Of the next page, or null after the last. */
  cursor: string | null
  /** Quoted phrases that stand nowhere. */
  missing: string[]
  /** Titles to suggest, without a query or without results. */
  suggestions: Suggestion[]
}

const pageSize = 20

export async function loadSearch({ url, api, space }: LoadContext): Promise<SearchData> {
  const query = url.searchParams.get('q')?.trim() ?? ''
  const asSpace = url.searchParams.get('space')
  const spaceId = asSpace === null ? (space?.id ?? null) : idOf(asSpace)
  const kindParam = url.searchParams.get('kind') ?? ''
  const kind: SearchData['kind'] =
    isKind(kindParam) || kindParam === 'conversation' || kindParam === 'mail_message' ? kindParam : null
  const status = url.searchParams.get('status') || null
  const since = /^\d{4}-\d\d-\d\d$/.exec(url.searchParams.get('since') ?? '')?.[0] ?? null
  const filters = { query, spaceId, kind, status, since }
  if (query === '')
    return { ...filters, items: [], cursor: null, missing: [], suggestions: await suggest('') }
  const found = await api.get<SearchPage>(resultsPath(filters, null))
  const { items, next_cursor: cursor, missing } = found
  const similar = items.length === 0 ? await suggest(firstWord(query)) : []
  return { ...filters, items, cursor, missing, suggestions: similar }

  async function suggest(q: string): Promise<Suggestion[]> {
    return (await api.get<{ items: Suggestion[] }>(withQuery('/api/suggest', { q, limit: 6 }))).items
  }
}

/** The request for the results from a cursor on. */
export const resultsPath = (
  { query, spaceId, kind, status, since }: Omit<SearchData, 'items' | 'cursor' | 'missing' | 'suggestions'>,
  cursor: string | null,
): string =>
  withQuery('/api/search', {
    q: query,
    space_id: spaceId,
    kinds: kind,
    status,
    changed_after: since,
    group: 'entity',
    limit: pageSize,
    cursor,
  })

const idOf = (value: string | null) => (/^[0-9a-f-]{36}$/i.test(value ?? '') ? value : null)

/** The start of the longest word, which a typo is least likely to be in. */
const firstWord = (query: string) =>
  (query.match(/[\p{L}\p{N}]+/gu) ?? [])
    .reduce((one, other) => (other.length > one.length ? other : one), '')
    .slice(0, 4)

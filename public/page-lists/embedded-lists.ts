// Lists of pages that stand in a text: `![[Recipes.base]]`, `![[Recipes.base#Quick ones]]` for one of its views, or the name
// of a saved view. They are put there behind the page, with code that is loaded later; until then there is a link.

import type { AppContext } from '../app/app.ts'
import type { LoadContext } from '../app/view.ts'
import { el } from '../dom.ts'
import { renderCards } from './cards.ts'
import { queryOf } from './list-state.ts'
import { type ListData, loadList } from './load-list.ts'
import { renderTable } from './table.ts'

/** In one text; further ones stay links. */
const maxLists = 10
/** How long news of pages are gathered. */
const gatherMs = 500
const links = '#view .prose .embed-list > a.wikilink'
const shown = '#view .prose .embedded-list'

export function startEmbeddedLists({ app, signal }: AppContext): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  app.state.watch(({ subject }) => subject, draw, signal)
  app.live.on((event) => {
    const isPage = event.type === 'entity' && event.data.kind === 'page'
    if (!isPage || event.data.space_id !== app.state.get().space?.id || !document.querySelector(shown)) return
    clearTimeout(timer)
    timer = setTimeout(update, gatherMs)
  }, signal)
  signal.addEventListener('abort', () => clearTimeout(timer))
  draw()

  /** Called before the view is drawn. */
  function draw(): void {
    queueMicrotask(() => {
      for (const link of [...document.querySelectorAll<HTMLAnchorElement>(links)].slice(0, maxLists))
        void fill(link.parentElement!, link.href)
    })
  }

  function update(): void {
    for (const list of document.querySelectorAll<HTMLElement>(shown)) void fill(list, list.dataset.href!)
  }

  /** A list that cannot be loaded stays a link. */
  async function fill(place: HTMLElement, href: string, sort: string | null = null): Promise<void> {
    const { space } = app.state.get()
    const address = addressOf(href, sort)
    if (!space || !address) return
    const context = { api: app.api, space, now: app.now(), ...address }
    const data = await loadNamed(context, decodeURIComponent(new URL(href).hash.slice(1))).catch(() => null)
    if (!data || !place.isConnected) return
    const list = renderEmbedded(data, { ...context, app, signal, refresh: async () => {} })
    list.dataset.href = href
    list.addEventListener('click', (event) => sortBy(event, data, (next) => fill(list, href, next)), true)
    place.replaceWith(list)
  }
}

/** The address of the whole list, and the id in it. */
function addressOf(href: string, sort: string | null): Pick<LoadContext, 'url' | 'params'> | null {
  const path = /^(.*)\/(views|source-docs)\/([0-9a-f-]{36})$/.exec(new URL(href).pathname)
  if (!path) return null
  const [, base, kind, id = ''] = path
  const url = new URL(`${base}/views/${id}${kind === 'views' ? '' : '?file='}`, href)
  if (sort) url.searchParams.set('sort', sort)
  return { url, params: { id } }
}

/** The view of a name, else the first one. */
async function loadNamed(context: LoadContext, name: string): Promise<ListData> {
  const data = await loadList(context)
  const at = data.saved?.views.findIndex((view) => view.name.toLowerCase() === name.toLowerCase()) ?? -1
  if (at < 1) return data
  context.url.searchParams.set('n', String(at))
  return await loadList(context)
}

function renderEmbedded(data: ListData, context: Parameters<typeof renderTable>[1]): HTMLElement {
  const { rows, count, problem, saved, state } = data
  const view = saved?.views[saved.at]
  const name = view && view.name !== saved.title ? `${saved.title} › ${view.name}` : saved?.title
  const unsupported = view?.unsupported.length ?? 0
  const wrong = saved?.problem ?? problem
  const list = el(
    'figure',
    { class: 'embedded-list' },
    el(
      'figcaption',
      {},
      el('a', { href: context.url.pathname + context.url.search }, name),
      el('span', { class: 'dim small' }, count === 1 ? '1 page' : `${count} pages`),
      unsupported > 0 &&
        el(
          'span',
          { class: 'dim small' },
          `${unsupported} ${unsupported === 1 ? 'part' : 'parts'} not supported`,
        ),
    ),
    wrong
      ? el('p', { class: 'problem' }, wrong)
      : rows.length > 0 &&
          (state.layout === 'cards' ? renderCards(data, context) : renderTable(data, context)),
  )
  // Their ids are those of the one list of a view.
  for (const each of list.querySelectorAll<HTMLElement>('[id]')) {
    if (each.id.startsWith('sort-')) each.dataset.property = each.id.slice('sort-'.length)
    each.removeAttribute('id')
  }
  return list
}

/** Sorts where it stands; in the view, the address would change with it. */
function sortBy(event: Event, { state }: ListData, show: (sort: string | null) => void): void {
  const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-property]') : null
  if (!button) return
  event.stopPropagation()
  const property = button.dataset.property!
  const isUp = state.sorts.some((sort) => sort.property === property && sort.direction === 'asc')
  show(queryOf({ sorts: [{ property, direction: isUp ? 'desc' : 'asc' }] }).sort ?? null)
}

// Lists of pages that stand in a text: `![[Recipes.base]]`, `![[Recipes.base#Quick ones]]` for one of its views, or the name
// of a saved view. They are put there behind the page, with code that is loaded later; until then there is a link.

import { gathered } from '../../app/api/live.ts'
import type { AppContext } from '../../app/app.ts'
import type { LoadContext } from '../../app/view.ts'
import { within } from '../../ui/address.ts'
import { el } from '../../ui/dom.ts'
import { loadShown, type ShownList } from './load-list.ts'
import { renderCards, renderTable } from './table.ts'

/** In one text; further ones stay links. */
const maxLists = 10
/** How long news of pages are gathered. */
const gatherMs = 500
const links = '#view .prose .embed-list > a.wikilink'
const listSelector = '#view .prose .embedded-list'

export function startEmbeddedLists({ app, signal }: AppContext): void {
  /** What was chosen for a list, by its address: the text around it may be drawn anew. */
  const sorts = new Map<string, string>()
  const news = gathered(async () => update(), gatherMs)
  app.state.watch(({ subject }) => subject, draw, signal)
  app.live.on((event) => {
    const isPage = event.type === 'entity' && event.data.kind === 'page'
    if (isPage && event.data.space_id === app.state.get().space?.id) news()
  }, signal)
  draw()

  /** Called before the view is drawn. */
  function draw(): void {
    queueMicrotask(() => {
      for (const link of [...document.querySelectorAll<HTMLAnchorElement>(links)].slice(0, maxLists))
        void fill(link.parentElement!, within(link.href)?.href ?? link.href)
    })
  }

  function update(): void {
    for (const list of document.querySelectorAll<HTMLElement>(listSelector))
      void fill(list, list.dataset.href!)
  }

  /** A list that cannot be loaded stays a link. */
  async function fill(place: HTMLElement, href: string): Promise<void> {
    const { space } = app.state.get()
    const address = addressOf(href, sorts.get(href))
    if (!space || !address) return
    const context = { api: app.api, space, now: app.now(), ...address }
    const name = decodeURIComponent(new URL(href).hash.slice(1))
    const data = await loadShown(context, name).catch(() => null)
    if (!data || !place.isConnected) return
    if (data.saved && data.saved.at > 0) context.url.searchParams.set('n', String(data.saved.at))
    const list = renderEmbedded(data, { ...context, app, signal, refresh: async () => {} })
    list.dataset.href = href
    const sortList = (sort: string) => {
      sorts.set(href, sort)
      void fill(list, href)
    }
    list.addEventListener('click', (event) => sortBy(event, data, sortList), true)
    place.replaceWith(list)
  }
}

/** The address of the whole list, and the id in it. */
function addressOf(href: string, sort: string | undefined): Pick<LoadContext, 'url' | 'params'> | null {
  const path = /^(.*)\/(views|source-docs)\/([0-9a-f-]{36})$/.exec(new URL(href).pathname)
  if (!path) return null
  const [, base, kind, id = ''] = path
  const url = new URL(`${base}/views/${id}${kind === 'views' ? '' : '?file='}`, href)
  if (sort) url.searchParams.set('sort', sort)
  return { url, params: { id } }
}

function renderEmbedded(data: ShownList, context: Parameters<typeof renderTable>[1]): HTMLElement {
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
function sortBy(event: Event, { state }: ShownList, sortList: (sort: string) => void): void {
  const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-property]') : null
  if (!button) return
  event.stopPropagation()
  const property = button.dataset.property!
  const isUp = state.sorts.some((sort) => sort.property === property && sort.direction === 'asc')
  sortList(JSON.stringify([{ property, direction: isUp ? 'desc' : 'asc' }]))
}

// The pages of a Space and the links among them, or those around one page: drawn, and as a list beside the drawing.

import type { Graph } from '../../../lib/contract/space/graph.ts'
import { changeQuery, defineView, type ViewContext } from '../../app/view.ts'
import { filterBar, filterChip } from '../../ui/components/filter-chip.ts'
import { type Child, el } from '../../ui/dom.ts'
import { entityHref, spaceHref, withQuery } from '../../ui/words/addresses.ts'
import { degreesOf, filterGraph, foldersOf, tagsOf } from './graph-data.ts'

type GraphData = {
  graph: Graph
  /** The page in the middle; null: the whole Space. */
  around: string | null
  tag: string | null
  folder: string | null
}

export const view = defineView<GraphData>({
  async load({ api, space, url }) {
    const { searchParams } = url
    const around = searchParams.get('around')
    const path = withQuery(`/api/spaces/${space!.id}/graph`, { around })
    return {
      graph: await api.get<Graph>(path),
      around,
      tag: searchParams.get('tag'),
      folder: searchParams.get('folder'),
    }
  },
  title: (data, { space }) => `${headingOf(data)} · ${space!.name}`,
  layout: 'wide',
  render: (data, context) => {
    const shown = filterGraph(data.graph, data)
    return el(
      'div',
      { class: 'graph' },
      el(
        'section',
        { class: 'graph-side', 'aria-label': 'Pages of the graph' },
        el('h1', {}, headingOf(data)),
        data.around !== null && el('a', { href: `${spaceHref(context.space!.slug)}/graph` }, 'Whole Space'),
        renderFilters(data, context),
        el(
          'p',
          { class: 'dim small', role: 'status' },
          `${countOf(shown.pages.length, 'page')}, ${countOf(shown.links.length, 'link')}`,
          data.graph.truncated && '. There are more than can be drawn.',
        ),
        el('input', {
          class: 'field',
          type: 'search',
          id: 'graph-find',
          placeholder: 'Find in the graph',
          'aria-label': 'Find in the graph',
        }),
        renderPages(shown, data, context),
      ),
      el(
        'div',
        { class: 'graph-place' },
        el('canvas', {
          role: 'img',
          'aria-label': `Drawing of ${countOf(shown.pages.length, 'page')} and their links. The list has each of them.`,
        }),
        el(
          'div',
          { class: 'graph-zoom', role: 'group', 'aria-label': 'Zoom' },
          zoomButton('graph-in', '+', 'Zoom in'),
          zoomButton('graph-out', '−', 'Zoom out'),
        ),
        el(
          'span',
          { class: 'graph-ink', 'aria-hidden': 'true' },
          ['line', 'node', 'text', 'current', 'paper'].map((ink) => el('i', { 'data-ink': ink })),
        ),
      ),
    )
  },
  mount: async (root, data, context) => {
    const { mountGraph } = await import('./mount-graph.ts')
    if (context.signal.aborted) return
    const shown = filterGraph(data.graph, data)
    mountGraph(root, { ...shown, around: data.around }, context)
  },
})

const zoomButton = (id: string, sign: string, label: string) =>
  el('button', { class: 'icon-button', type: 'button', id, 'aria-label': label, title: label }, sign)

const headingOf = ({ graph, around }: GraphData): string => {
  const page = around && graph.pages.find(({ id }) => id === around)
  return page ? `Around ${page.title}` : 'Graph'
}

const countOf = (count: number, noun: string) =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`

/** More are found by typing. */
const maxOptions = 60

function renderFilters({ graph, tag, folder }: GraphData, context: ViewContext): Child {
  const tags = tagsOf(graph.pages).slice(0, maxOptions)
  const folders = foldersOf(graph.pages).slice(0, maxOptions)
  if (tags.length + folders.length === 0) return null
  const choose = (name: string) => (value: string | null) => changeQuery(context, { [name]: value })
  return filterBar(
    tags.length > 0 &&
      filterChip({
        id: 'graph-tag',
        label: 'Tag',
        value: tag,
        options: tags.map((name) => [name, name] as const),
        choose: choose('tag'),
      }),
    folders.length > 0 &&
      filterChip({
        id: 'graph-folder',
        label: 'Folder',
        value: folder,
        options: folders.map(({ id, title }) => [id, title] as const),
        choose: choose('folder'),
      }),
  )
}

/** Rows that are there at first; the field above finds the others. */
const maxRows = 200

function renderPages(
  shown: Pick<Graph, 'pages' | 'links'>,
  { around }: GraphData,
  { space }: ViewContext,
): HTMLElement {
  const degrees = degreesOf(shown)
  const order = shown.pages
    .map((page, index) => ({ page, index, links: degrees[index]! }))
    .toSorted((a, b) => b.links - a.links || a.page.title.localeCompare(b.page.title))
  return el(
    'div',
    { class: 'graph-list', id: 'graph-list', role: 'list', 'aria-label': 'Pages, the most linked first' },
    order.map(({ page, index, links }, place) =>
      el(
        'div',
        { role: 'listitem', hidden: place >= maxRows },
        el(
          'a',
          {
            href: entityHref(space!.slug, 'page', page.id),
            'data-node': index,
            'aria-current': page.id === around ? 'true' : null,
          },
          el('bdi', {}, page.title),
          el('span', { class: 'dim small', title: countOf(links, 'link') }, String(links)),
        ),
      ),
    ),
  )
}

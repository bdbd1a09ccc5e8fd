import type { Space } from '../../lib/contract/entities.ts'
import type { TagCount } from '../../lib/contract/space/pages.ts'
import { createPage } from '../app/actions/create-page.ts'
import { loadLevels, type TreeLevel, type TreeRows, treeRows } from '../app/tree-levels.ts'
import { defineView, type LoadContext, type ViewContext } from '../app/view.ts'
import { icon } from '../ui/components/icon.ts'
import { type Child, el } from '../ui/dom.ts'
import { spaceHref, withQuery } from '../ui/words/addresses.ts'
import type { ListData } from './lists/load-list.ts'
import { renderTreeRow } from './tree/tree-rows.ts'

type TreePart = Pick<typeof import('./tree/mount-pages.ts'), 'mountPages'>
type ListPart = Pick<typeof import('./lists/list-part.ts'), 'renderList' | 'renderTags' | 'mountList'>

type PagesData =
  | { mode: 'tree'; levels: TreeLevel[]; part: TreePart }
  | { mode: 'list'; list: ListData; part: ListPart }
  | { mode: 'tags'; items: TagCount[]; part: ListPart }

const modes = { tree: 'Tree', table: 'Table', cards: 'Cards', tags: 'Tags' } as const
type Mode = keyof typeof modes

export const view = defineView<PagesData>({
  load: loadPages,
  title: (data, { space }) =>
    `${(data.mode === 'list' && data.list.saved?.title) || (data.mode === 'tags' ? 'Tags' : 'Pages')} · ${space!.name}`,
  layout: ({ mode }) => (mode === 'list' ? 'wide' : 'reading'),
  // The tree remembers what was expanded, and follows changes itself.
  keepsItself: ({ mode }) => mode === 'tree',

  render: (data, context) => [
    renderHead(data, context),
    data.mode === 'tree' ? renderTree(data.levels, context) : renderPart(data, context),
  ],

  mount(root, data, context) {
    if (data.mode === 'tree') data.part.mountPages(root, data.levels, context)
    else if (data.mode === 'list') data.part.mountList(root, data.list, context)
  },

  affectedBy: (event, data, { space }) =>
    data.mode !== 'tree' &&
    event.type === 'entity' &&
    event.data.space_id === space!.id &&
    (event.data.kind === 'page' || (event.data.kind === 'page_view' && isNews(event.data, data))),
})

/** What one saved here is known already, and another view is not shown. */
function isNews({ id, version }: { id: string; version: number }, data: PagesData): boolean {
  if (data.mode !== 'list' || data.list.isBusy) return false
  const { saved } = data.list
  return saved === null || (saved.id === id && version > saved.version)
}

/** The tree, lists and tags are loaded with what makes them live: nobody wants all of them. */
async function loadPages(context: LoadContext): Promise<PagesData> {
  const { api, space, url, params } = context
  const mode = url.searchParams.get('view')
  const isList =
    params.id !== undefined || /\/views\/?$/.test(url.pathname) || ['table', 'cards'].includes(mode ?? '')
  if (!isList && mode !== 'tags')
    return {
      mode: 'tree',
      levels: await loadLevels(api, space!.id, { levels: 2 }),
      part: await import('./tree/mount-pages.ts'),
    }
  const { loadList, loadTags, renderList, renderTags, mountList } = await import('./lists/list-part.ts')
  const part = { renderList, renderTags, mountList }
  if (isList) return { mode: 'list', list: await loadList(context), part }
  return { mode: 'tags', ...(await loadTags(context)), part }
}

function renderHead(data: PagesData, context: ViewContext): Child {
  const { app, space } = context
  const current: Mode = data.mode === 'list' ? data.list.state.layout : data.mode
  const title = data.mode === 'list' && data.list.saved ? data.list.saved.title : 'Pages'
  return [
    el(
      'header',
      { class: 'page-title-row pages-head' },
      el('h1', {}, title),
      el(
        'button',
        { class: 'button button-small', type: 'button', onclick: () => createPage(app, space!, null) },
        icon('plus'),
        'New page',
      ),
    ),
    el(
      'div',
      { class: 'filter-bar' },
      el(
        'div',
        { class: 'segments page-modes', role: 'group', 'aria-label': 'Show pages as' },
        (Object.keys(modes) as Mode[]).map((mode) =>
          el(
            'button',
            {
              type: 'button',
              id: `pages-${mode}`,
              'aria-pressed': mode === current,
              onclick: () => app.navigate(hrefOf(mode, data, context)),
            },
            modes[mode],
          ),
        ),
      ),
    ),
  ]
}

/** From table to cards and back, what is filtered and sorted stays. */
function hrefOf(mode: Mode, { mode: now }: PagesData, { url, space }: ViewContext): string {
  const isList = mode === 'table' || mode === 'cards'
  if (isList && now === 'list')
    return withQuery(url.pathname, { ...Object.fromEntries(url.searchParams), view: mode })
  return withQuery(`${spaceHref(space!.slug)}/pages`, { view: mode === 'tree' ? null : mode })
}

const renderPart = (data: Exclude<PagesData, { mode: 'tree' }>, context: ViewContext): Child =>
  data.mode === 'list' ? data.part.renderList(data.list, context) : data.part.renderTags(data, context)

const renderTree = (levels: readonly TreeLevel[], { space }: ViewContext): Child => [
  el(
    'div',
    { class: 'pages-tools' },
    quickForm(),
    el('input', {
      class: 'field',
      id: 'filter-pages',
      type: 'search',
      placeholder: 'Find by title',
      'aria-label': 'Find a page by title',
      autocomplete: 'off',
    }),
  ),
  el(
    'div',
    {
      class: 'page-rows',
      id: 'page-rows',
      role: 'tree',
      'aria-label': 'Pages',
      'aria-multiselectable': 'true',
    },
    paintedRows(treeRows(levels), space!),
  ),
  el('ul', { class: 'rows', id: 'found-pages', hidden: true }),
  el(
    'section',
    { class: 'empty', id: 'no-pages', hidden: treeRows(levels).count > 0 },
    el('p', {}, 'No pages yet.'),
    el('p', { class: 'dim' }, 'Type a title above and press Enter, or import a folder of notes in Settings.'),
  ),
]

/** What a window may show; the browser draws the rows again by where it is scrolled to. */
const maxPainted = 60

const paintedRows = (rows: TreeRows, space: Space): Child =>
  Array.from({ length: Math.min(maxPainted, rows.count) }, (_, index) =>
    renderTreeRow(rows.at(index)!, { index, space }),
  )

const quickForm = () =>
  el(
    'form',
    { class: 'quick-page', id: 'quick-page-form' },
    icon('plus'),
    el('input', {
      class: 'quick-page-field',
      id: 'quick-page',
      placeholder: 'New page title',
      'aria-label': 'New page title',
      maxlength: 500,
      autocomplete: 'off',
    }),
    el('button', { class: 'badge quick-page-parent', id: 'quick-page-parent', type: 'button', hidden: true }),
  )

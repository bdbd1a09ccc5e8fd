// Pages as a table or as cards: what is filtered, sorted and shown of them.

import type { PageFilter } from '../../../lib/contract/space/pages.ts'
import { changeQuery, type ViewContext } from '../../app/view.ts'
import { filterChip } from '../../ui/components/filter-chip.ts'
import { icon } from '../../ui/components/icon.ts'
import { renderMenu } from '../../ui/components/menu.ts'
import { type Child, el } from '../../ui/dom.ts'
import { entityHref, spaceHref, withQuery } from '../../ui/words/addresses.ts'
import { describeFilter, isChanged, labelOf, pageSize, queryOf } from './list-state.ts'
import type { ListData, Saved } from './load-list.ts'
import { deleteView, renameView } from './save-view.ts'
import { renderCards, renderTable } from './table.ts'

export const renderList = (data: ListData, context: ViewContext): Child => [
  renderSaved(data, context),
  renderTools(data, context),
  renderUnsupported(data),
  renderRows(data, context),
]

function renderTools(data: ListData, context: ViewContext): HTMLElement {
  const { state, saved } = data
  const button = (id: string, label: string, name: 'filter' | 'grid' | 'plus') =>
    el('button', { class: 'button button-small', type: 'button', id }, icon(name), label)
  return el(
    'div',
    { class: 'list-tools', role: 'group', 'aria-label': 'Filters and order' },
    state.parts.map((part, at) => chip(part, at, data, context)),
    button('add-filter', 'Filter', 'plus'),
    renderSort(data, context),
    button('choose-columns', 'Columns', 'grid'),
    isChanged(context.url) &&
      el(
        'button',
        {
          class: 'button button-small button-quiet',
          type: 'button',
          id: 'reset-list',
          onclick: () => reset(context),
        },
        saved ? 'Discard changes' : 'Reset',
      ),
    saved?.kind === 'view' && isChanged(context.url)
      ? el(
          'button',
          { class: 'button button-small button-primary', type: 'button', id: 'save-changes' },
          'Save changes',
        )
      : el('button', { class: 'button button-small', type: 'button', id: 'save-view' }, 'Save as view…'),
  )
}

const reset = (context: ViewContext) =>
  changeQuery(context, {
    view: null,
    where: null,
    sort: null,
    columns: null,
    tag: null,
    shown: null,
    ...keepsTable(context),
  })

/** Without a saved view, the address says that it is a table. */
const keepsTable = ({ params, url }: ViewContext) =>
  params.id ? {} : { view: url.searchParams.get('view') ?? 'table' }

function chip(part: PageFilter, at: number, { state }: ListData, context: ViewContext): HTMLElement {
  const text = describeFilter(part)
  return el(
    'button',
    {
      class: 'button button-small filter-chip',
      id: `filter-${at}`,
      type: 'button',
      title: 'Remove this filter',
      'aria-label': `Remove filter: ${text}`,
      onclick: async () => {
        await changeQuery(context, queryOf({ parts: state.parts.filter((_, index) => index !== at) }))
        document.getElementById(`filter-${at}`)?.focus()
        if (document.activeElement === document.body) document.getElementById('add-filter')?.focus()
      },
    },
    el('span', {}, text),
    icon('close'),
  )
}

/** By one property; more of them come from a saved view. */
function renderSort({ state, names }: ListData, context: ViewContext): HTMLElement[] {
  const [first] = state.sorts
  const properties = [
    'file.name',
    'file.mtime',
    'file.ctime',
    ...state.columns.map(({ property }) => property),
  ]
  const all = [
    ...new Set([...properties, ...names.map(({ name }) => name), ...(first ? [first.property] : [])]),
  ]
  const set = (property: string, direction: 'asc' | 'desc') =>
    changeQuery(context, queryOf({ sorts: property ? [{ property, direction }] : [] }))
  const label = (property: string) =>
    state.columns.find((column) => column.property === property)?.label ?? labelOf(property)
  const isDown = first?.direction === 'desc'
  return [
    filterChip({
      id: 'list-sort',
      label: 'Sort',
      options: all.map((property) => [property, label(property)]),
      value: first?.property ?? 'file.name',
      required: true,
      choose: (property) => set(property ?? 'file.name', first?.direction ?? 'asc'),
    }),
    el(
      'button',
      {
        class: 'icon-button',
        id: 'sort-direction',
        type: 'button',
        title: isDown ? 'Descending' : 'Ascending',
        'aria-label': isDown ? 'Sort ascending' : 'Sort descending',
        onclick: () => set(first?.property ?? 'file.name', isDown ? 'asc' : 'desc'),
      },
      icon(isDown ? 'arrowDown' : 'arrowUp'),
    ),
  ]
}

/** What its text asks for and Void leaves out. */
function renderUnsupported({ saved }: ListData): Child {
  const unsupported = saved?.views[saved.at]?.unsupported ?? []
  if (unsupported.length === 0) return null
  return el(
    'div',
    { class: 'list-unsupported', role: 'note' },
    el('p', {}, icon('warning'), 'Not supported and ignored: '),
    el(
      'ul',
      {},
      unsupported.map((text) => el('li', {}, el('code', {}, text))),
    ),
  )
}

function renderRows(data: ListData, context: ViewContext): Child {
  const { rows, count, problem, state, more, maxRows, saved } = data
  if (saved?.problem) return el('p', { class: 'problem', role: 'alert' }, saved.problem)
  if (problem) return el('p', { class: 'problem', role: 'alert' }, problem)
  return [
    el(
      'p',
      { class: 'dim small', id: 'list-count', role: 'status' },
      count === 1 ? '1 page' : `${count} pages`,
    ),
    rows.length === 0
      ? el(
          'p',
          { class: 'dim list-empty' },
          state.parts.length > 0 ? 'No pages match these filters.' : 'No pages yet.',
        )
      : state.layout === 'cards'
        ? renderCards(data, context)
        : renderTable(data, context),
    more &&
      el(
        'button',
        {
          class: 'button',
          type: 'button',
          id: 'more',
          onclick: () => changeQuery(context, { shown: maxRows + 2 * pageSize }),
        },
        'Show more',
      ),
  ]
}

/** The saved views of the Space; of a file with several views, which one is shown. */
function renderSaved(data: ListData, context: ViewContext): Child {
  const { saved, views } = data
  const { slug } = context.space!
  return [
    saved && renderHead(saved, data, context),
    saved && saved.views.length > 1 && renderTabs(saved, context),
    !saved &&
      views.length > 0 &&
      el(
        'nav',
        { class: 'list-views', 'aria-label': 'Saved views' },
        views.map(({ id, title }) =>
          el('a', { class: 'badge', href: entityHref(slug, 'page_view', id)! }, title),
        ),
      ),
  ]
}

function renderHead(saved: Saved, data: ListData, context: ViewContext): HTMLElement {
  const { slug } = context.space!
  const isFile = saved.kind === 'source_doc'
  return el(
    'p',
    { class: 'crumbs list-crumbs' },
    el('a', { href: withQuery(`${spaceHref(slug)}/pages`, { view: 'table' }) }, 'All pages'),
    isFile && el('a', { href: entityHref(slug, 'source_doc', saved.id)! }, 'Show the file'),
    !isFile &&
      renderMenu({
        id: 'view-menu',
        label: 'More actions for this view',
        items: [
          { label: 'Rename', icon: 'edit', run: () => renameView(data, context) },
          { label: 'Move to trash', icon: 'trash', danger: true, run: () => deleteView(data, context) },
        ],
      }),
  )
}

const renderTabs = ({ id, views, at, kind }: Saved, { space }: ViewContext): HTMLElement =>
  el(
    'nav',
    { class: 'list-views', 'aria-label': 'Views of this file' },
    views.map(({ name }, index) =>
      el(
        'a',
        {
          class: 'badge',
          'aria-current': index === at ? 'page' : null,
          href: withQuery(entityHref(space!.slug, 'page_view', id)!, {
            file: kind === 'source_doc' ? 1 : null,
            n: index === 0 ? null : index,
          }),
        },
        name,
      ),
    ),
  )

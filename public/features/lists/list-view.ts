// The entities of a kind, one a line.

import type { Entity } from '../../../lib/contract/entities.ts'
import type { List } from '../../../lib/contract/list.ts'
import { changeQuery, defineView, type LoadContext, type View, type ViewContext } from '../../app/view.ts'
import { filterBar, filterChip } from '../../ui/components/filter-chip.ts'
import { icon, kindIcon } from '../../ui/components/icon.ts'
import { type Child, el } from '../../ui/dom.ts'
import { timeAgo } from '../../ui/time.ts'
import {
  entityHref,
  type KindType,
  kindNames,
  libraryKinds,
  spaceHref,
  withQuery,
} from '../../ui/words/addresses.ts'
import { type NewField, showCreateDialog } from './create-dialog.ts'
import { mountList } from './mount-list.ts'

type ListDefinition<Row extends Entity> = {
  type: KindType
  /** Shown between the title of a row and its date. */
  facts: (row: Row) => Child
  /** Statuses to filter by, with their names. */
  statuses?: Record<string, string>
  /** The fields of a new one; left out, none can be created here. */
  create?: readonly NewField[]
  /** Shown while there are none. */
  empty: string
}

export function listView<Row extends Entity>(definition: ListDefinition<Row>): View {
  const { type, statuses = {}, create, empty } = definition
  const { many, one } = kindNames[type]

  return defineView<ListData<Row>>({
    load: (context) => loadList<Row>(type, Object.keys(statuses), context),
    title: (_data, { space }) => `${many} · ${space!.name}`,
    layout: 'wide',
    render: (data, context) =>
      el(
        'div',
        { class: 'list-view' },
        el(
          'header',
          { class: 'list-head' },
          el('h1', {}, libraryKinds.some((kind) => kind === type) ? 'Library' : many),
          create &&
            el(
              'button',
              {
                class: 'button button-primary',
                type: 'button',
                id: 'new',
                title: `New ${one.toLowerCase()} (n)`,
              },
              icon('plus'),
              `New ${one.toLowerCase()}`,
            ),
        ),
        libraryKinds.some((kind) => kind === type) && libraryTabs(type, context),
        data.items.length > 0 || data.status ? filters(data, statuses, context) : null,
        data.items.length === 0
          ? el('p', { class: 'dim list-empty' }, data.status ? 'No items have this status.' : empty)
          : el(
              'ul',
              { class: 'rows list-rows', id: 'list' },
              data.items.map((row) => listRow(row, definition, context)),
            ),
        data.more &&
          el(
            'button',
            {
              class: 'button',
              type: 'button',
              id: 'more',
              onclick: () => changeQuery(context, { shown: data.maxRows + 2 * pageSize }),
            },
            'Show more',
          ),
      ),
    mount(root, data, context) {
      const startNew = create && (() => showCreateDialog(context, { type, fields: create }))
      root.querySelector('#new')?.addEventListener('click', () => startNew?.(), { signal: context.signal })
      mountList(root, { type, rows: data.items, startNew, context })
    },
    affectedBy: (event, _data, { space }) =>
      event.type === 'entity' && event.data.kind === type && event.data.space_id === space!.id,
  })
}

const libraryTabs = (type: KindType, { space }: ViewContext): HTMLElement =>
  el(
    'nav',
    { class: 'inbox-tabs library-tabs', 'aria-label': 'Library' },
    libraryKinds.map((kind) =>
      el(
        'a',
        {
          class: 'inbox-tab',
          href: `${spaceHref(space!.slug)}/${kindNames[kind].path}`,
          'aria-current': kind === type ? 'page' : null,
        },
        kindNames[kind].many,
      ),
    ),
  )

function filters<Row extends Entity>(
  { sort, status }: ListData<Row>,
  statuses: Record<string, string>,
  context: ViewContext,
): HTMLElement {
  const options = Object.entries(statuses)
  return filterBar(
    options.length > 0 &&
      filterChip({
        id: 'list-status',
        label: 'Status',
        options,
        value: status,
        choose: (to) => changeQuery(context, { status: to }),
      }),
    filterChip({
      id: 'list-sort',
      label: 'Sort',
      options: Object.entries(sortNames),
      value: sort,
      required: true,
      choose: (to) => changeQuery(context, { sort: to }),
    }),
  )
}

function listRow<Row extends Entity>(
  row: Row,
  { type, facts }: ListDefinition<Row>,
  { space, now }: ViewContext,
): HTMLElement {
  const href = entityHref(space!.slug, type, row.id)
  return el(
    'li',
    { class: 'row-item list-row', 'data-id': row.id },
    kindIcon(type),
    el('a', { class: 'row-title', id: `row-${row.id}`, href }, row.title),
    el('span', { class: 'list-facts' }, facts(row)),
    timeAgo(row.updated_at, now),
    el(
      'button',
      {
        class: 'icon-button list-delete',
        type: 'button',
        tabindex: -1,
        'data-do': 'delete',
        'aria-label': `Delete ${row.title}`,
        title: 'Delete',
      },
      icon('trash'),
    ),
  )
}

const sortNames = { newest: 'Newest first', changed: 'Last edited first', title: 'By title' } as const

type Sort = keyof typeof sortNames

type ListData<Row extends Entity> = {
  items: Row[]
  more: boolean
  sort: Sort
  status: string | null
  maxRows: number
}

const pageSize = 50

/** The largest page that the server returns. */
const maxPage = 200

const maxShown = 2000

async function loadList<Row extends Entity>(
  type: KindType,
  statuses: readonly string[],
  { api, space, url }: LoadContext,
): Promise<ListData<Row>> {
  const { searchParams: query } = url
  const sort = (Object.keys(sortNames) as Sort[]).find((name) => name === query.get('sort')) ?? 'changed'
  const status = statuses.find((name) => name === query.get('status')) ?? null
  const requested = Number(query.get('shown'))
  const rowCount = requested > pageSize && requested <= maxShown ? Math.trunc(requested) : pageSize
  const items: Row[] = []
  let cursor: string | null = null
  do {
    const limit = Math.min(maxPage, rowCount - items.length)
    const path = withQuery(`/api/spaces/${space!.id}/${kindNames[type].path}`, {
      sort,
      status,
      limit,
      cursor,
    })
    const page: List<Row> = await api.get<List<Row>>(path)
    items.push(...page.items)
    cursor = page.next_cursor
  } while (cursor !== null && items.length < rowCount)
  return { items, more: cursor !== null, sort, status, maxRows: rowCount }
}

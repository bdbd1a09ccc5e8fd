// The entities of a kind, one a line.

import type { Entity } from '../../../lib/contract/entities/entities.ts'
import { changeQuery } from '../../app/change-query.ts'
import { defineView, type View, type ViewContext } from '../../app/view.ts'
import { filterBar, filterChip } from '../../ui/components/chips/filter-chip.ts'
import { icon, kindIcon } from '../../ui/components/icon.ts'
import { type Child, el } from '../../ui/dom.ts'
import { timeAgo } from '../../ui/time.ts'
import { entityHref, type KindType, kindNames } from '../../ui/words/addresses.ts'
import { type NewField, showCreateDialog } from './create-dialog.ts'
import { type ListData, loadList, pageSize, sortNames } from './list-data.ts'
import { mountList } from './mount-list.ts'

export type ListDefinition<Row extends Entity> = {
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
          el('h1', {}, many),
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
              onclick: () => changeQuery(context, { shown: data.shown + 2 * pageSize }),
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

function filters<Row extends Entity>(
  { sort, status }: ListData<Row>,
  statuses: Record<string, string>,
  context: ViewContext,
): HTMLElement {
  const named = Object.entries(statuses)
  return filterBar(
    named.length > 0 &&
      filterChip({
        id: 'list-status',
        label: 'Status',
        options: named,
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

import { changeQuery, type ViewContext } from '../../app/view.ts'
import { icon } from '../../ui/components/icon.ts'
import { el } from '../../ui/dom.ts'
import { entityHref } from '../../ui/words/addresses.ts'
import { renderCell } from './cell.ts'
import { type Column, queryOf } from './list-state.ts'
import type { ShownList } from './load-list.ts'

/** A row a page. The name of a column sorts by it, and once more the other way. */
export function renderTable(data: ShownList, context: ViewContext): HTMLElement {
  const { rows, state } = data
  const { now } = context
  const { slug } = context.space!
  return el(
    'div',
    { class: 'list-scroll', tabindex: 0, role: 'region', 'aria-label': 'Table of pages' },
    el(
      'table',
      { class: 'list-table' },
      el(
        'thead',
        {},
        el(
          'tr',
          {},
          state.columns.map((column) => heading(column, data, context)),
        ),
      ),
      el(
        'tbody',
        {},
        rows.map((row) =>
          el(
            'tr',
            { 'data-id': row.id },
            state.columns.map(({ property }, at) =>
              property === 'file.name'
                ? el(
                    'th',
                    { scope: 'row' },
                    el('a', { id: `row-${row.id}`, href: entityHref(slug, 'page', row.id)! }, row.title),
                  )
                : el('td', {}, renderCell(row, { property, value: row.values[at] ?? null }, { slug, now })),
            ),
          ),
        ),
      ),
    ),
  )
}

function heading({ property, label }: Column, { state }: ShownList, context: ViewContext): HTMLElement {
  const sort = state.sorts.find((one) => one.property === property)
  const sorted = sort ? (sort.direction === 'desc' ? 'descending' : 'ascending') : null
  const direction = sort?.direction === 'asc' ? 'desc' : 'asc'
  return el(
    'th',
    { scope: 'col', 'aria-sort': sorted },
    el(
      'button',
      {
        type: 'button',
        id: `sort-${property}`,
        onclick: () => changeQuery(context, queryOf({ sorts: [{ property, direction }] })),
      },
      label,
      sorted && icon(sorted === 'descending' ? 'arrowDown' : 'arrowUp'),
    ),
  )
}

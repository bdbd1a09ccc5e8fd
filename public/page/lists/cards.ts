import type { ViewContext } from '../../app/view.ts'
import { el } from '../../ui/dom.ts'
import { entityHref } from '../../ui/words/addresses.ts'
import { renderCell } from './cell.ts'
import type { ShownList } from './load-list.ts'

/** A card a page, with the properties that it has. */
export function renderCards({ rows, state }: ShownList, { now, space }: ViewContext): HTMLElement {
  const { slug } = space!
  const shown = state.columns
    .map((column, at) => ({ ...column, at }))
    .filter(({ property }) => property !== 'file.name')
  return el(
    'ul',
    { class: 'list-cards', 'aria-label': 'Pages' },
    rows.map((row) =>
      el(
        'li',
        { class: 'list-card', 'data-id': row.id },
        el(
          'a',
          { class: 'list-card-title', id: `row-${row.id}`, href: entityHref(slug, 'page', row.id)! },
          row.title,
        ),
        el(
          'dl',
          {},
          shown
            .filter(({ at, property }) =>
              property === 'file.tags' ? row.tags.length > 0 : hasValue(row.values[at]),
            )
            .map(({ property, label, at }) => [
              el('dt', {}, label),
              el('dd', {}, renderCell(row, { property, value: row.values[at] ?? null }, { slug, now })),
            ]),
        ),
      ),
    ),
  )
}

const hasValue = (value: unknown) =>
  value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)

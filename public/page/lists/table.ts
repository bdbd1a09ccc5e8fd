import type { CellValue, PageRow } from '../../../lib/contract/space/pages.ts'
import { isLink } from '../../../lib/core/text/properties/typed-properties.ts'
import { changeQuery, type ViewContext } from '../../app/view.ts'
import { icon } from '../../ui/components/icon.ts'
import { type Child, el } from '../../ui/dom.ts'
import { createLinkFinder } from '../../ui/markdown/links.ts'
import { timeAgo } from '../../ui/time.ts'
import { entityHref, tagHref } from '../../ui/words/addresses.ts'
import { writtenTime } from '../../ui/written-time.ts'
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

export type CellContext = { slug: string; now: Date }

/** The value of a property as a person reads it. */
export function renderCell(
  row: PageRow,
  { property, value }: { property: string; value: CellValue },
  context: CellContext,
): Child {
  if (property === 'file.tags')
    return row.tags.map((tag) => el('a', { class: 'badge', href: tagHref(context.slug, tag) }, `#${tag}`))
  if (property === 'file.mtime') return timeAgo(row.updated_at, context.now)
  if (property === 'file.ctime') return timeAgo(row.created_at, context.now)
  if (!Array.isArray(value)) return renderValue(row, value, context)
  return value.map((item, at) => [at > 0 && ', ', renderValue(row, item, context)])
}

function renderValue(row: PageRow, value: CellValue, { slug, now }: CellContext): Child {
  if (value === null || Array.isArray(value)) return null
  if (typeof value === 'boolean')
    return value
      ? [icon('check'), el('span', { class: 'visually-hidden' }, 'Yes')]
      : el('span', { class: 'dim' }, 'No')
  if (typeof value === 'number') return el('span', { class: 'cell-number' }, Number(value.toPrecision(12)))
  const time = writtenTime(value, now)
  if (time) return time
  if (isLink(value)) return renderLink(row, value, slug)
  return /^https?:\/\/\S+$/.test(value) && URL.canParse(value)
    ? el('a', { href: value, target: '_blank', rel: 'noopener noreferrer' }, value)
    : value
}

function renderLink({ links }: PageRow, value: string, slug: string): Child {
  const [, target = '', label] = /^\[\[([^\]|#]*)(?:#[^\]|]*)?(?:\|([^\]]*))?\]\]$/.exec(value) ?? []
  const match = createLinkFinder(
    links.map((link) => ({
      ...link,
      label: null,
      heading: null,
      embed: false,
      to_title: null,
      to_path: null,
    })),
  ).find({ form: 'wiki', target })
  const href = match?.to_type && match.to_id ? entityHref(slug, match.to_type, match.to_id) : null
  return href ? el('a', { href }, label || target) : label || target
}

/** A card a page, with the properties that it has. */
export function renderCards({ rows, state }: ShownList, { now, space }: ViewContext): HTMLElement {
  const { slug } = space!
  const columns = state.columns
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
          columns
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

import type { TitledEntity } from '../../../lib/contract/entities.ts'
import { maxBacklinks } from '../../../lib/contract/limits.ts'
import { kindIcon } from '../components/icon.ts'
import { type Child, el } from '../dom.ts'
import { entityHref, kindLabel } from './addresses.ts'

const shownRows = 50

/** How many entities link somewhere. */
export const backlinkCount = (items: readonly TitledEntity[]): string =>
  items.length < maxBacklinks ? String(items.length) : `${maxBacklinks.toLocaleString('en')} or more`

/** Links to entities, a row each, with the name of the kind unless it is the usual one; most of many are folded. */
export const linkedRows = (items: readonly TitledEntity[], slug: string): Child[] => [
  plainRows(items.slice(0, shownRows), slug),
  items.length > shownRows &&
    el(
      'details',
      {},
      el('summary', { class: 'dim small' }, `${items.length - shownRows} more`),
      plainRows(items.slice(shownRows), slug),
    ),
]

/** All in one list. */
export const plainRows = (items: readonly TitledEntity[], slug: string): HTMLElement =>
  el(
    'ul',
    { class: 'rows' },
    items.map(({ entity_type, entity_id, title }) =>
      el(
        'li',
        { class: 'row-item' },
        kindIcon(entity_type),
        el('a', { class: 'row-title', href: entityHref(slug, entity_type, entity_id) }, title),
        entity_type !== 'page' && el('span', { class: 'dim small' }, kindLabel(entity_type)),
      ),
    ),
  )

/** Links to entities under a heading; nothing when there are none. */
export const linkedList = (heading: string, items: readonly TitledEntity[], slug: string): Child =>
  items.length > 0 &&
  el(
    'section',
    { class: 'detail-section', 'aria-label': heading },
    el('h2', { class: 'detail-heading' }, heading, ' ', el('span', { class: 'dim' }, backlinkCount(items))),
    linkedRows(items, slug),
  )

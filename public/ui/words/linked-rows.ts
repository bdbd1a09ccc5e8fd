import type { TitledEntity } from '../../../lib/contract/entities/entities.ts'
import { kindIcon } from '../components/icon.ts'
import { el } from '../dom.ts'
import { entityHref, kindLabel } from './addresses.ts'

/** Links to entities, a row each, with the name of the kind unless it is the usual one. */
export const linkedRows = (items: readonly TitledEntity[], slug: string): HTMLElement =>
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

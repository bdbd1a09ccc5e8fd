import type { TitledEntity } from '../../../lib/contract/entities/entities.ts'
import { type Child, el } from '../../ui/dom.ts'
import { linkedRows } from '../../ui/words/linked-rows.ts'

/** Links to entities under a heading; nothing when there are none. */
export const linkedList = (heading: string, items: readonly TitledEntity[], slug: string): Child =>
  items.length > 0 &&
  el(
    'section',
    { class: 'detail-section', 'aria-label': heading },
    el('h2', { class: 'detail-heading' }, heading, ' ', el('span', { class: 'dim' }, items.length)),
    linkedRows(items, slug),
  )

import { el } from '../dom.ts'
import type { Living } from '../frame/nav.ts'

/** The companion's column. */
export function renderRail(_living: Living): HTMLElement {
  return el(
    'aside',
    { class: 'rail', 'aria-label': 'Companion' },
    el('h2', { class: 'rail-title' }, 'Companion'),
  )
}

import type { Space } from '../../../lib/contract/entities.ts'
import type { PagePlace } from '../../../lib/contract/space/pages.ts'
import { el } from '../../ui/dom.ts'
import { entityHref, spaceHref } from '../../ui/words/addresses.ts'

/** The pages above a page, as links from the top down. */
export function renderCrumbs(space: Space, { above }: PagePlace, last?: string): HTMLElement {
  return el(
    'nav',
    { class: 'page-crumbs', 'aria-label': 'Breadcrumb' },
    el(
      'ol',
      { class: 'page-crumb-list' },
      el('li', {}, el('a', { id: 'crumb', href: `${spaceHref(space.slug)}/pages` }, 'Pages')),
      above.map(({ id, title }) =>
        el('li', {}, el('a', { id: `crumb-${id}`, href: entityHref(space.slug, 'page', id) }, title)),
      ),
      last && el('li', { 'aria-current': 'page' }, last),
    ),
  )
}

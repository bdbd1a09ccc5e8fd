import type { Page, PagePlace, Space } from '../../lib/contract/entities.ts'
import { actorName } from '../actor-name.ts'
import { entityHref, spaceHref } from '../addresses.ts'
import { type Child, el } from '../dom.ts'
import { timeAgo } from '../time.ts'

/** Where a page stands, as links from the top down. */
export function renderCrumbs(space: Space, { above }: PagePlace, last?: string): HTMLElement {
  return el(
    'nav',
    { class: 'page-crumbs', 'aria-label': 'Where this page stands' },
    el(
      'ol',
      { class: 'page-crumb-list' },
      el('li', {}, el('a', { href: `${spaceHref(space.slug)}/pages` }, 'Pages')),
      above.map(({ id, title }) =>
        el('li', {}, el('a', { href: entityHref(space.slug, 'page', id) }, title)),
      ),
      last && el('li', { 'aria-current': 'page' }, last),
    ),
  )
}

/** Who changed it and when, and who made it. */
export function renderMeta(page: Page, now: Date): HTMLElement {
  const made: Child =
    page.version > 1 || page.created_by !== page.updated_by
      ? [' · made ', timeAgo(page.created_at, now), ` by ${actorName(page.created_by)}`]
      : null
  return el(
    'p',
    { class: 'page-meta' },
    page.version > 1 ? 'Changed ' : 'Made ',
    timeAgo(page.updated_at, now),
    ` by ${actorName(page.updated_by)}`,
    made,
  )
}

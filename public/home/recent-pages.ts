import type { SpaceOverview } from '../../lib/contract/space/overview.ts'
import type { ViewContext } from '../app/view.ts'
import { kindIcon } from '../components/icon.ts'
import { type Child, el } from '../dom.ts'
import { entityHref, spaceHref } from '../entities/addresses.ts'
import { timeAgo } from '../time.ts'
import { renderSection } from './section.ts'

export function renderRecentPages({ recent_pages }: SpaceOverview, { space, now }: ViewContext): Child {
  const { slug } = space!
  return renderSection(
    { id: 'home-pages', title: 'Recent pages', href: `${spaceHref(slug)}/pages` },
    recent_pages.length === 0
      ? el('p', { class: 'dim' }, 'No pages yet')
      : el(
          'ul',
          { class: 'rows' },
          recent_pages.map(({ id, title, updated_at }) =>
            el(
              'li',
              { class: 'row-item' },
              kindIcon('page'),
              el('a', { class: 'row-title', href: entityHref(slug, 'page', id) }, title),
              timeAgo(updated_at, now),
            ),
          ),
        ),
  )
}

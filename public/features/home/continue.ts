import { countText } from '../../../lib/contract/space/counted.ts'
import type { SpaceOverview } from '../../../lib/contract/space/overview.ts'
import { openConversation } from '../../app/actions/open-conversation.ts'
import type { ViewContext } from '../../app/view.ts'
import { icon, kindIcon } from '../../ui/components/icon.ts'
import { type Child, el } from '../../ui/dom.ts'
import { timeAgo } from '../../ui/time.ts'
import { entityHref, spaceHref } from '../../ui/words/addresses.ts'
import { renderSection } from './section.ts'

/** The thread and the pages used last; all that an import brought in is one line. */
export function renderContinue(
  { recent_pages, imported, thread }: SpaceOverview,
  { app, space, now }: ViewContext,
): Child {
  const { id: space_id, slug } = space!
  const open = (id: string) => openConversation(app, { space_id, entity_id: id })
  return renderSection(
    { id: 'home-continue', title: 'Continue', href: `${spaceHref(slug)}/pages` },
    !thread && recent_pages.length === 0 && !imported
      ? el('p', { class: 'dim' }, 'No pages yet')
      : el(
          'ul',
          { class: 'rows' },
          thread &&
            el(
              'li',
              { class: 'row-item' },
              kindIcon('conversation'),
              el(
                'button',
                { class: 'row-title', type: 'button', id: 'home-thread', onclick: () => open(thread.id) },
                thread.title || 'Untitled thread',
              ),
              timeAgo(thread.last_activity_at, now),
            ),
          recent_pages.map(({ id, title, updated_at }) =>
            el(
              'li',
              { class: 'row-item' },
              kindIcon('page'),
              el('a', { class: 'row-title', href: entityHref(slug, 'page', id) }, title),
              timeAgo(updated_at, now),
            ),
          ),
          imported &&
            el(
              'li',
              { class: 'row-item' },
              icon('upload'),
              el(
                'a',
                { class: 'row-title', href: `${spaceHref(slug)}/pages` },
                imported.count === 1 ? '1 imported page' : `${countText(imported.count)} imported pages`,
              ),
              timeAgo(imported.at, now),
            ),
        ),
  )
}

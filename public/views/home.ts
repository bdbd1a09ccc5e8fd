import type { SpaceOverview } from '../../lib/contract/overview.ts'
import { entityHref } from '../addresses.ts'
import { kindIcon } from '../components/icon.ts'
import { el } from '../dom.ts'
import { timeAgo } from '../time.ts'
import { defineView } from '../view.ts'

export const view = defineView<SpaceOverview>({
  load: ({ api, space }) => api.get(`/api/spaces/${space!.id}/overview`),
  title: (_data, { space }) => space!.name,
  render: ({ recent_pages }, { space, now }) => [
    el(
      'header',
      { class: 'view-head' },
      el('h1', {}, space!.name),
      el('p', { class: 'dim' }, space!.description),
    ),
    el('h2', {}, 'Recent pages'),
    el(
      'ul',
      { class: 'rows' },
      recent_pages.map((page) =>
        el(
          'li',
          { class: 'row-item' },
          kindIcon('page'),
          el('a', { class: 'row-title', href: entityHref(space!.slug, 'page', page.id) }, page.title),
          timeAgo(page.updated_at, now),
        ),
      ),
    ),
  ],
  affectedBy: (event, _data, { space }) =>
    (event.type === 'entity' || event.type === 'change') && event.data.space_id === space!.id,
})

import type { Entity, List } from '../../lib/contract/entities.ts'
import { entityHref, type KindType, kindNames } from '../addresses.ts'
import { el } from '../dom.ts'
import { timeAgo } from '../time.ts'
import { defineView, type View } from '../view.ts'
import { kindIcon } from './icon.ts'

/** A view that lists the titles of a kind, newest first. */
export function entityListView(type: KindType): View {
  const { path, many } = kindNames[type]
  return defineView<List<Entity>>({
    load: ({ api, space }) => api.get(`/api/spaces/${space!.id}/${path}`),
    title: (_list, { space }) => `${many} · ${space!.name}`,
    render: ({ items }, { space, now }) => [
      el('h1', {}, many),
      items.length === 0 && el('p', { class: 'dim' }, `There are no ${many.toLowerCase()} yet.`),
      el(
        'ul',
        { class: 'rows' },
        items.map((item) =>
          el(
            'li',
            { class: 'row-item' },
            kindIcon(type),
            el('a', { class: 'row-title', href: entityHref(space!.slug, type, item.id) }, item.title),
            timeAgo(item.updated_at, now),
          ),
        ),
      ),
    ],
    affectedBy: (event, _list, { space }) =>
      event.type === 'entity' && event.data.kind === type && event.data.space_id === space!.id,
  })
}

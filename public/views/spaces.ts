import type { List, Space } from '../../lib/contract/entities.ts'
import { spaceHref } from '../addresses.ts'
import { el } from '../dom.ts'
import { defineView } from '../view.ts'

export const view = defineView<List<Space>>({
  load: ({ api }) => api.get('/api/spaces?limit=200'),
  title: () => 'Spaces',
  render: ({ items }) => [
    el('h1', {}, 'Spaces'),
    items.length === 0 && el('p', { class: 'dim' }, 'There is no Space yet.'),
    el(
      'ul',
      { class: 'rows' },
      items.map(({ slug, name, description }) =>
        el(
          'li',
          { class: 'row-item' },
          el('a', { class: 'row-title', href: spaceHref(slug) }, name),
          el('span', { class: 'dim' }, description),
        ),
      ),
    ),
  ],
  affectedBy: (event) => event.type === 'space',
})

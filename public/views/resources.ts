import type { Resource } from '../../lib/contract/entities.ts'
import { el } from '../dom.ts'
import { externalLink } from '../external-link.ts'
import { listView } from '../lists/list-view.ts'

export const view = listView<Resource>({
  type: 'resource',
  facts: ({ kind, url }) => [url && externalLink(url), el('span', { class: 'badge' }, kind)],
  create: [
    {
      name: 'kind',
      label: 'Kind',
      type: 'text',
      required: true,
      suggestions: ['tool', 'book', 'place', 'person', 'service', 'dataset'],
    },
    { name: 'url', label: 'Address', type: 'url' },
  ],
  empty: 'There are no resources yet. A resource is something to work with: a tool, a book, a place.',
})

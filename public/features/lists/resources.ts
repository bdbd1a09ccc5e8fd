import type { Resource } from '../../../lib/contract/entities.ts'
import { externalLink } from '../../ui/components/external-link.ts'
import { el } from '../../ui/dom.ts'
import { listView } from './list-view.ts'

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
    { name: 'url', label: 'URL', type: 'url' },
  ],
  empty: 'No resources yet. A resource is something to work with: a tool, a service, a place.',
})

import type { Ref } from '../../lib/contract/entities.ts'
import { el } from '../dom.ts'
import { externalLink } from '../external-link.ts'
import { listView } from '../lists/list-view.ts'

export const view = listView<Ref>({
  type: 'ref',
  facts: ({ author, published_on, url }) => [
    author && el('span', {}, author),
    published_on && el('span', {}, published_on.slice(0, 4)),
    url && externalLink(url),
  ],
  create: [
    { name: 'url', label: 'Address', type: 'url' },
    { name: 'author', label: 'Author', type: 'text' },
    { name: 'published_on', label: 'Published', type: 'date' },
  ],
  empty: 'There are no refs yet. A ref is something published elsewhere: an article, a page, a letter.',
})

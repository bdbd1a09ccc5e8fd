import type { Ref } from '../../../lib/contract/entities.ts'
import { externalLink } from '../../ui/components/external-link.ts'
import { el } from '../../ui/dom.ts'
import { listView } from './list-view.ts'

export const view = listView<Ref>({
  type: 'ref',
  facts: ({ author, published_on, url }) => [
    author && el('span', {}, author),
    published_on && el('span', {}, published_on.slice(0, 4)),
    url && externalLink(url),
  ],
  create: [
    { name: 'url', label: 'URL', type: 'url' },
    { name: 'author', label: 'Author', type: 'text' },
    { name: 'published_on', label: 'Published', type: 'date' },
  ],
  empty: 'No references yet. A reference is something published elsewhere: an article, a book, a web page.',
})

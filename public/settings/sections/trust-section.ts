import type { Space } from '../../../lib/contract/entities.ts'
import type { List } from '../../../lib/contract/list.ts'
import { el } from '../../ui/dom.ts'
import { defineSection } from '../parts/section.ts'
import { spaceLinks } from '../parts/space-links.ts'
import { trustWords } from '../spaces/space-trust.ts'

/** What the owner vouches for is set in each Space. */
export const trustSection = defineSection<List<Space>>({
  load: ({ api }) => api.get('/api/spaces?limit=200'),
  render: ({ items }) => [el('h2', {}, 'Trust'), el('p', { class: 'dim' }, trustWords), spaceLinks(items)],
})

import type { Space } from '../../../lib/contract/entities.ts'
import type { List } from '../../../lib/contract/list.ts'
import { el } from '../../ui/dom.ts'
import { defineSection } from '../parts/section.ts'
import { spaceLinks } from '../parts/space-links.ts'
import { glanceWords } from './space-glance.ts'

/** What the glance is, and the Spaces in which it is switched on. */
export const glanceSection = defineSection<List<Space>>({
  load: ({ api }) => api.get('/api/spaces?limit=200'),
  render: ({ items }) => [
    el('p', { class: 'dim' }, glanceWords, ' It is switched on in each Space.'),
    spaceLinks(items),
  ],
})

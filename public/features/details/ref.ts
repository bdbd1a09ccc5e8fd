import type { Ref } from '../../../lib/contract/entities.ts'
import { detailView } from './detail-view.ts'

export const view = detailView<Ref, null>({
  type: 'ref',
  load: async () => null,
  fields: () => [
    { name: 'url', label: 'URL', control: 'address' },
    { name: 'author', label: 'Author', control: 'line' },
    { name: 'published_on', label: 'Published', control: 'day' },
  ],
})

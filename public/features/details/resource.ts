import type { Resource } from '../../../lib/contract/entities.ts'
import { detailView } from './detail-view.ts'

export const view = detailView<Resource, null>({
  type: 'resource',
  load: async () => null,
  fields: () => [
    { name: 'kind', label: 'Kind', control: 'line', required: true },
    { name: 'url', label: 'URL', control: 'address' },
  ],
})

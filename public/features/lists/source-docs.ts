import type { SourceDoc } from '../../../lib/contract/entities.ts'
import { el } from '../../ui/dom.ts'
import { mimeName } from '../../ui/words/mime-name.ts'
import { listView } from './list-view.ts'

export const view = listView<SourceDoc>({
  type: 'source_doc',
  facts: ({ mime }) => el('span', { class: 'badge' }, mimeName(mime)),
  empty: 'No files yet. Drop files anywhere on this page to import them.',
})

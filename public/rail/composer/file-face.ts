import type { AttachedFile } from '../../../lib/contract/companion/companion.ts'
import { isImageType } from '../../../lib/contract/companion/image-type.ts'
import { kindIcon } from '../../ui/components/icon.ts'
import { el } from '../../ui/dom.ts'

/** A file of a message: a small picture of it or an icon, and its name. */
export const fileFace = ({ id, title, mime }: Pick<AttachedFile, 'id' | 'title' | 'mime'>): Node[] => [
  isImageType(mime)
    ? el('img', { class: 'file-picture', src: `/api/source-docs/${id}/original`, alt: '', loading: 'lazy' })
    : kindIcon('source_doc'),
  el('span', { class: 'file-name', title }, title),
]

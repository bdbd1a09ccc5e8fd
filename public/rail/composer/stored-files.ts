import type { AttachedFile } from '../../../lib/contract/companion/companion.ts'
import { type SavedText, savedText } from '../../app/storage/saved-text.ts'

/** Where the files of a message that is not sent yet are remembered on this device, as JSON. */
export const storedFiles = (spaceId: string): SavedText => savedText(`files:${spaceId}`)

export function readFiles(spaceId: string): AttachedFile[] {
  try {
    const files: unknown = JSON.parse(storedFiles(spaceId).read() || '[]')
    return Array.isArray(files) ? files.filter(isFile) : []
  } catch {
    return []
  }
}

const isFile = (file: unknown): file is AttachedFile =>
  typeof file === 'object' &&
  file !== null &&
  ['id', 'title', 'mime'].every((name) => typeof Reflect.get(file, name) === 'string') &&
  typeof Reflect.get(file, 'size') === 'number'

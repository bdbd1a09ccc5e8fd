import type { ImportedFile } from '../../db/repos/import_files.ts'
import type { KnownFiles } from './known-files.ts'

export type Decision =
  | { action: 'create' }
  | { action: 'update' | 'move' | 'conflict' | 'deleted' | 'unchanged'; file: ImportedFile }

/** What is to become of a file, from what is known of it. What the owner did here outweighs what the file says. */
export function decide(known: KnownFiles, { path, sha256 }: { path: string; sha256: string }): Decision {
  const file = known.find(path)
  if (!file) {
    const from = known.findMovedTo(path)
    return from ? { action: 'move', file: from } : { action: 'create' }
  }

  if (!known.living(file)) return { action: 'deleted', file }
  if (file.sha256 === sha256) return { action: 'unchanged', file }
  return { action: known.isUntouched(file) ? 'update' : 'conflict', file }
}

// Files that changed since the last pass looked at them, among those of the pages that somebody is about to change.

import { createFolderEntriesRepo } from '../../db/repos/folders.ts'
import { fingerprintOf, isOfDisk } from './disk/disk.ts'
import { hashOf, maxNoteBytes, readNoteText } from './disk/note-bytes.ts'
import { readStill } from './disk/safe-write.ts'
import type { Pass } from './folder-deps.ts'

/** Paths of files with another text than the one last read. A file that cannot be read now is left to the next pass. */
export async function findUnseen(pass: Pass, pageIds: readonly string[]): Promise<string[]> {
  const { database, folder, disk } = pass
  const unseen: string[] = []
  for (const entry of await createFolderEntriesRepo(database, folder.id).listOfPages(pageIds)) {
    try {
      const stat = await disk.stat(entry.path)
      if (stat?.kind !== 'file' || stat.size > maxNoteBytes || stat.isPlaceholder) continue
      if (fingerprintOf(stat) === entry.fingerprint) continue
      const still = await readStill(disk, entry.path)
      if (still === null || hashOf(still.bytes) === entry.file_bytes) continue
      const { text } = readNoteText(still.bytes)
      if (text !== null && hashOf(text) !== entry.file_text) unseen.push(entry.path)
    } catch (error) {
      if (!isOfDisk(error)) throw error
    }
  }
  return unseen
}

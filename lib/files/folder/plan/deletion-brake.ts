// Stops before many notes are deleted at once: that is what an unmounted disk, a restored backup or a stale copy looks like.

import { folderOf } from '../../../core/text/paths.ts'

const minDeletions = 10
const share = 0.1
/** Notes that a folder has to have held for its emptying to be one of these signs. */
const minInFolder = 10

type Deletions = {
  /** Paths of all notes in step, those that are to be deleted included. */
  known: readonly string[]
  /** Paths whose files are gone. */
  gone: readonly string[]
  /** Deletions that were carried out within the last hour, the paths of those included in neither list. */
  recent: readonly string[]
}

/** Why these deletions need the owner's word, as a sentence; null: they do not. */
export function deletionBrake({ known, gone, recent }: Deletions): string | null {
  if (gone.length === 0) return null
  const all = [...gone, ...recent]
  const held = known.length + recent.length
  const allowed = Math.max(minDeletions, Math.floor(held * share))
  if (all.length > allowed) return `${all.length} of ${held} files are gone from the folder within an hour.`
  const before = countByFolder([...known, ...recent])
  for (const [folder, count] of countByFolder(all)) {
    if (count < minInFolder || before.get(folder) !== count) continue
    return folder === ''
      ? `All ${count} files are gone from the folder.`
      : `All ${count} files are gone from “${folder.slice(0, -1)}”.`
  }
  return null
}

/** How many paths lie in each folder, at any depth. */
function countByFolder(paths: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const path of paths) {
    for (let folder = folderOf(path); ; folder = folderOf(folder)) {
      counts.set(folder, (counts.get(folder) ?? 0) + 1)
      if (folder === '') break
    }
  }
  return counts
}

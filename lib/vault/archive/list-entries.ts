// The names in an archive, in the order of an import, with what keeps an entry out. Nothing is unpacked yet.

import { type Entry, getFileNameLowLevel, type ZipFile } from 'yauzl'
import { checkPath } from '../check-path.ts'
import { baseName, extensionOf, folderOf } from '../file-name.ts'
import { compareNames } from '../folder-order.ts'
import { createNumberedNames } from '../numbered-names.ts'
import { createExpansionLimit } from './expansion-limit.ts'
import { readDirectory } from './read-directory.ts'

export type ArchiveEntry = { path: string; entry: Entry; skip: string | null; warnings: string[] }

/** Files in one archive. */
export const maxEntries = 200_000

export type ArchiveListing = { entries: ArchiveEntry[]; leftOut: number }

/** Throws what `readDirectory` throws. The archive has been opened without `decodeStrings`. */
export async function listEntries(zip: ZipFile): Promise<ArchiveListing> {
  const entries: ArchiveEntry[] = []
  const nameFor = createUniqueNames()
  const expansionProblem = createExpansionLimit()
  let leftOut = 0

  for (const entry of await readDirectory(zip)) {
    const given = decodeName(entry)
    if (given.endsWith('/')) continue
    const { path, problem, hidden } = checkPath(given)
    if (hidden) continue
    if (entries.length >= maxEntries) {
      leftOut++
      continue
    }
    const skip = problem ?? problemOf(entry) ?? expansionProblem(entry)
    entries.push({ ...nameFor(path || given), entry, skip })
  }
  return { entries: inOrder(entries), leftOut }
}

/** Of two entries with one name both come in, the later one under a name of its own. */
function createUniqueNames(): (path: string) => Pick<ArchiveEntry, 'path' | 'warnings'> {
  const taken = new Set<string>()
  const nextName = createNumberedNames()

  return (given) => {
    const stem = given.slice(0, given.length - extensionOf(given).length)
    const extension = given.slice(stem.length)
    const path = nextName(given, stem, (name) => taken.has(name + extension)) + extension
    taken.add(path)
    return { path, warnings: path === given ? [] : [`the archive holds another file named ${given}`] }
  }
}

function problemOf(entry: Entry): string | null {
  if (entry.isEncrypted()) return 'it is encrypted'
  if (!entry.canDecodeFileData()) return 'it is packed in a way that cannot be unpacked'
  if (((entry.externalFileAttributes >>> 16) & 0o170000) === 0o120000)
    return 'it is a symbolic link, which is not followed'
  return null
}

// As on disk: the files of a folder, what describes it first, then the folders below.
function inOrder(entries: ArchiveEntry[]): ArchiveEntry[] {
  const byFolder = Map.groupBy(entries, ({ path }) => folderOf(path))
  const folders = [...byFolder.keys()].sort((a, b) => (a < b ? -1 : 1))
  return folders.flatMap((folder) => {
    const compare = compareNames(folder)
    return byFolder.get(folder)!.sort((a, b) => compare(baseName(a.path), baseName(b.path)))
  })
}

// Not yauzl's alone: it refuses the whole archive for one bad name.
function decodeName({ fileNameRaw, extraFields }: Entry): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
      .decode(fileNameRaw)
      .replaceAll('\\', '/')
  } catch {
    return getFileNameLowLevel(0, fileNameRaw, extraFields, true).replaceAll('\\', '/')
  }
}

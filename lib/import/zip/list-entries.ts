// The names in an archive, in the order of an import, with what keeps an entry out. Nothing is unpacked yet.

import { type Entry, getFileNameLowLevel, type ZipFile } from 'yauzl'
import { checkPath } from '../check-path.ts'
import { baseName, folderOf } from '../file-name.ts'
import { compareNames } from '../import-order.ts'
import { eachEntry } from './open-archive.ts'

export type ArchiveEntry = { path: string; entry: Entry; skip: string | null }

/** Files in one archive. */
export const mostEntries = 200_000

/** Beyond this an entry unpacks to more than any real document does. */
const largestRatio = 500
const smallEntry = 5 * 1024 * 1024

export type ArchiveListing = { entries: ArchiveEntry[]; leftOut: number }

/** Throws `SkippedFile` when the archive's directory cannot be read. The archive has been opened without `decodeStrings`. */
export async function listEntries(zip: ZipFile): Promise<ArchiveListing> {
  const byPath = new Map<string, ArchiveEntry>()
  let leftOut = 0

  for await (const entry of eachEntry(zip)) {
    const given = decodeName(entry)
    if (given.endsWith('/')) continue
    const { path, problem, hidden } = checkPath(given)
    if (hidden) continue
    if (byPath.size >= mostEntries) leftOut++
    else if (byPath.has(path))
      byPath.set(`${path}\n${byPath.size}`, { path, entry, skip: 'the archive holds it twice' })
    else byPath.set(path, { path: path || given, entry, skip: problem ?? problemOf(entry) })
  }
  return { entries: inOrder([...byPath.values()]), leftOut }
}

function problemOf(entry: Entry): string | null {
  if (entry.isEncrypted()) return 'it is encrypted'
  if (!entry.canDecodeFileData()) return 'it is packed in a way that cannot be unpacked'
  if (((entry.externalFileAttributes >>> 16) & 0o170000) === 0o120000)
    return 'it is a symbolic link, which is not followed'
  const { compressedSize, uncompressedSize } = entry
  if (uncompressedSize > smallEntry && uncompressedSize > compressedSize * largestRatio) {
    return `it unpacks to ${Math.round(uncompressedSize / Math.max(1, compressedSize))} times its size`
  }
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

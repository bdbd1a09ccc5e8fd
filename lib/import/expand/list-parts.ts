import { type ArchiveEntry, listEntries } from '../../vault/archive/list-entries.ts'
import { openArchive } from '../../vault/archive/open-archive.ts'
import { SkippedFile } from '../../vault/skipped-file.ts'
import type { ScratchFile } from '../file/scratch-file.ts'

/** Notion parts a large export into archives inside one; their files belong to one tree. */
export const isPart = (path: string): boolean => /^[^/]*Part-\d+\.zip$/i.test(path)

/** The paths in the parts of an archive. What is wrong with one is told where it is unpacked. */
export async function listParts(
  entries: readonly ArchiveEntry[],
  unpack: (entry: ArchiveEntry['entry']) => Promise<ScratchFile>,
): Promise<string[]> {
  const paths: string[] = []
  for (const { path, entry, skip } of entries) {
    if (skip !== null || !isPart(path)) continue
    try {
      paths.push(...(await listPart(await unpack(entry))))
    } catch (error) {
      if (!(error instanceof SkippedFile)) throw error
    }
  }
  return paths
}

async function listPart({ file, remove }: ScratchFile): Promise<string[]> {
  try {
    const zip = await openArchive(file)
    try {
      return (await listEntries(zip)).entries.map(({ path }) => path)
    } finally {
      zip.close()
    }
  } finally {
    await remove()
  }
}

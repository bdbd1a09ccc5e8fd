import { SkippedFile } from '../skipped-file.ts'
import { createExpansionLimit } from './expansion-limit.ts'
import { openArchive } from './open-archive.ts'
import { readDirectory } from './read-directory.ts'

/** Bytes that those entries of an archive unpack to whose names count. Throws `SkippedFile` when it cannot be read, or expands too far. */
export async function measureZip(bytes: Uint8Array, counts: (name: string) => boolean): Promise<number> {
  const zip = await openArchive(bytes)
  const problemOf = createExpansionLimit()
  let total = 0
  for (const entry of await readDirectory(zip)) {
    const problem = problemOf(entry)
    if (problem) throw new SkippedFile(problem)
    if (counts(entry.fileNameRaw.toString('utf8'))) total += entry.uncompressedSize
  }
  return total
}

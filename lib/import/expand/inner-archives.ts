import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Entry, ZipFile } from 'yauzl'
import { SkippedFile } from '../format.ts'
import { openArchive } from '../zip/open-archive.ts'
import type { Budget } from './budget.ts'

export type InnerArchives = ReturnType<typeof createInnerArchives>

/** The archives inside of one, which are unpacked to disk, one at a time. */
export function createInnerArchives(outer: ZipFile, budget: Budget) {
  const paid = new Set<Entry>()

  return {
    /** An inner archive, gone when the caller is done with it. Throws `SkippedFile`. */
    async *open(entry: Entry): AsyncGenerator<{ file: string; zip: ZipFile }> {
      if (!paid.has(entry)) budget.spend(entry.uncompressedSize)
      paid.add(entry)
      const folder = await mkdtemp(join(tmpdir(), 'void-archive-'))
      try {
        const file = join(folder, 'inner.zip')
        await unpack(outer, entry, file)
        const zip = await openArchive(file)
        try {
          yield { file, zip }
        } finally {
          zip.close()
        }
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  }
}

import { createWriteStream } from 'node:fs'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Entry, ZipFile } from 'yauzl'
import { refuseFullDisk } from '../../db/disk-space.ts'
import { isDiskFull } from '../../db/pg-errors.ts'
import { SkippedFile } from '../../vault/skipped-file.ts'
import { createScratchFile, type ScratchFile } from '../file/scratch-file.ts'
import type { ExpandContext } from './expand-context.ts'

/** Unpacks archives and mailboxes out of an archive to disk. Each is taken off the budget once, however often it is unpacked. */
export function createUnpackEntry(outer: ZipFile, { budget, scratch }: ExpandContext) {
  const paid = new Set<Entry>()

  /** Throws `SkippedFile`, and as `refuseFullDisk`; nothing is left on disk then. */
  return async (entry: Entry): Promise<ScratchFile> => {
    if (!paid.has(entry)) budget.spend(entry.uncompressedSize)
    paid.add(entry)
    const unpacked = await createScratchFile(scratch)
    try {
      await refuseFullDisk(scratch, entry.uncompressedSize)
      await unpack(outer, entry, unpacked.file)
      return unpacked
    } catch (error) {
      await unpacked.remove()
      if (error instanceof SkippedFile || isDiskFull(error)) throw error
      throw new SkippedFile(
        `it cannot be unpacked: ${error instanceof Error ? error.message : String(error)}`,
      )
    }
  }
}

async function unpack(outer: ZipFile, entry: Entry, file: string): Promise<void> {
  let size = 0
  const counted = new Transform({
    transform(bytes: Buffer, _encoding, done) {
      size += bytes.length
      if (size > entry.uncompressedSize) done(new SkippedFile('it is larger than the archive says'))
      else done(null, bytes)
    },
  })
  await pipeline(await outer.openReadStreamPromise(entry), counted, createWriteStream(file, { mode: 0o600 }))
}

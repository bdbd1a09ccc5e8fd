import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Entry, ZipFile } from 'yauzl'
import { SkippedFile } from '../format.ts'
import type { Budget } from './budget.ts'

/** An archive that was unpacked out of another one. */
export type InnerArchive = { file: string; remove(): Promise<void> }

/** Unpacks archives out of one to disk. Each is taken off the budget once, however often it is unpacked. */
export function createInnerArchives(outer: ZipFile, budget: Budget) {
  const paid = new Set<Entry>()

  /** Throws `SkippedFile`; nothing is left on disk then. */
  return async (entry: Entry): Promise<InnerArchive> => {
    if (!paid.has(entry)) budget.spend(entry.uncompressedSize)
    paid.add(entry)
    const folder = await mkdtemp(join(tmpdir(), 'void-archive-'))
    const remove = () => rm(folder, { recursive: true, force: true })
    try {
      const file = join(folder, 'inner.zip')
      await unpack(outer, entry, file)
      return { file, remove }
    } catch (error) {
      await remove()
      if (error instanceof SkippedFile || !(error instanceof Error)) throw error
      throw new SkippedFile(`it cannot be unpacked: ${error.message}`)
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

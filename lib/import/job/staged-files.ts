// Files that were handed over for an import and wait on disk, so that the import can be taken up after a crash.

import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../../errors.ts'

export type StagedFiles = ReturnType<typeof createStagedFiles>

/** `folder` holds a folder for each job. */
export function createStagedFiles(folder: string) {
  const folderOf = (jobId: string) => join(folder, jobId)
  // Not by their own names: those come from elsewhere.
  const nameOf = (path: string) => createHash('sha256').update(path).digest('hex')

  return {
    async put(jobId: string, path: string, bytes: Uint8Array): Promise<{ name: string; size: number }> {
      await mkdir(folderOf(jobId), { recursive: true, mode: 0o700 })
      const name = nameOf(path)
      await writeFile(join(folderOf(jobId), name), bytes, { mode: 0o600 })
      return { name, size: bytes.length }
    },

    /** Throws a 413 `AppError` beyond `most` bytes; nothing is kept then. */
    async putStream(jobId: string, path: string, stream: Readable, most: number) {
      await mkdir(folderOf(jobId), { recursive: true, mode: 0o700 })
      const name = nameOf(path)
      const part = join(folderOf(jobId), `${name}.part`)
      let size = 0
      const counted = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          size += chunk.length
          done(
            size > most ? new AppError('too_large', 413, `The file has more than ${most} bytes.`) : null,
            chunk,
          )
        },
      })
      try {
        await pipeline(stream, counted, createWriteStream(part, { mode: 0o600 }))
        await rename(part, join(folderOf(jobId), name))
      } catch (error) {
        await rm(part, { force: true })
        throw error
      }
      return { name, size }
    },

    locationOf: (jobId: string, name: string): string => join(folderOf(jobId), name),

    async remove(jobId: string): Promise<void> {
      await rm(folderOf(jobId), { recursive: true, force: true })
    },

    /** The jobs that have files here. */
    async listJobs(): Promise<string[]> {
      return await readdir(folder).catch(() => [])
    },
  }
}

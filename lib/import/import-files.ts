// The core of every import, from a folder or over HTTP: files in, entities out, a few at a time. Each batch is one
// transaction and remembers what it made, so a run that breaks off is continued by running it again.

import type { Writer } from '../changes/write.ts'
import type { Database } from '../db/pool.ts'
import { type Kinds, kinds as ownKinds } from '../entities/kinds.ts'
import { type Formats, formats as ownFormats } from './formats.ts'
import { importBatch } from './import-batch.ts'
import { addOutcomes, emptyResult, type FileOutcome, type ImportResult, skipped } from './outcome.ts'
import { type PreparedFile, prepareFile } from './prepare-file.ts'
import type { SourceFile } from './source-file.ts'

export type ImportOptions = {
  database: Database
  writer: Writer
  space_id: string
  /** Whose files they are: the same name finds the same files again. */
  source: string
  /** Parents before what is below them gives the least work; any order is right. */
  files: Iterable<SourceFile> | AsyncIterable<SourceFile>
  /** Paths of earlier runs that are no longer in the folder (see `findGone`), so that a moved file is recognised. */
  gone?: readonly string[]
  /** Told after each batch how many of the files are through. */
  onProgress?: (done: number) => void
  /** Ends the import between two batches. */
  signal?: AbortSignal | undefined
  formats?: Formats
  kinds?: Kinds
}

// Measured on PGlite: beyond 25 files a larger batch gains nothing, and a server that imports answers no one else
// for as long as a batch takes.
const filesPerBatch = 25
const bytesPerBatch = 8 * 1024 * 1024

/**
 * Brings files in: creates what is new, updates what changed, leaves alone what the owner edited or deleted. Throws
 * only when the database cannot be reached or `files` throws; what is wrong with a file is in the result.
 */
export async function importFiles(options: ImportOptions): Promise<ImportResult> {
  const { database, writer, space_id, source, onProgress, signal } = options
  const { gone = [], kinds = ownKinds, formats = ownFormats } = options
  const result = emptyResult()
  let done = 0

  for await (const batch of inBatches(options.files, formats)) {
    if (signal?.aborted) {
      result.stopped = true
      break
    }
    const outcomes = await importBatch(database, { space_id, source, kinds, gone, writer }, batch.files)
    addOutcomes(result, [...batch.skipped, ...outcomes])
    done += batch.count
    onProgress?.(done)
  }
  return result
}

type Batch = { files: PreparedFile[]; skipped: FileOutcome[]; count: number; bytes: number }

async function* inBatches(files: ImportOptions['files'], formats: Formats): AsyncGenerator<Batch> {
  let batch: Batch = { files: [], skipped: [], count: 0, bytes: 0 }

  for await (const file of files) {
    const prepared = prepareFile(formats, file)
    batch.count++
    if (!('skip' in prepared)) {
      batch.files.push(prepared)
      batch.bytes += prepared.size
    } else if (!prepared.hidden) {
      batch.skipped.push(skipped(prepared.path, prepared.skip))
    }
    if (batch.files.length >= filesPerBatch || batch.bytes >= bytesPerBatch) {
      yield batch
      batch = { files: [], skipped: [], count: 0, bytes: 0 }
    }
  }
  if (batch.count > 0) yield batch
}

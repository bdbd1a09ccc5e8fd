// The core of every import, from a folder or over HTTP: files in, entities out, a few at a time. Each batch is one
// transaction and remembers what it made, so a run that breaks off is continued by running it again.

import type { Actor } from '../actor.ts'
import type { FileOutcome, ImportResult } from '../contract/imports.ts'
import type { Database } from '../db/pool.ts'
import { analyzeFilledTables } from '../db/repos/planner_statistics.ts'
import { type Kinds, kinds as ownKinds } from '../entities/kinds.ts'
import type { Writer } from '../writes/write.ts'
import { importBatch, previewBatch } from './batch/import-batch.ts'
import type { OfferConflict } from './batch/offer-conflict.ts'
import { applyManifest } from './expand/apply-manifest.ts'
import { createBudget } from './expand/budget.ts'
import { expandFiles } from './expand/expand-files.ts'
import { expandPictures } from './expand/expand-pictures.ts'
import { skipped } from './file/outcome.ts'
import type { MessageFile, PlainFile, SourceFile } from './file/source-file.ts'
import { addOutcomes, emptyResult } from './import-result.ts'
import type { ImportMail } from './mail/import-mail.ts'
import { type Formats, ownFormats } from './parse/formats.ts'
import { createParser } from './parse/parser.ts'
import { type PreparedFile, type PrepareOptions, prepareFile } from './parse/prepare-file.ts'

export type ImportOptions = {
  database: Database
  writer: Writer
  space_id: string
  /** Whose files they are: the same name finds the same files again. */
  source: string
  /** Where archives in archives and mailboxes in archives are unpacked to; made if need be. */
  importFolder: string
  /** Parents before what is below them gives the least work; any order is right. */
  files: Iterable<SourceFile> | AsyncIterable<SourceFile>
  /** Paths of earlier runs that are no longer in the folder (see `findMissing`), so that a moved file is recognised. */
  gone?: readonly string[]
  /** Told after each batch how many of the files are through. */
  onProgress?: (done: number) => void
  /** Ends the import between two batches. */
  signal?: AbortSignal | undefined
  /** The path of an archive that is the whole import. */
  root?: string | null
  /** Who writes what is imported; left out: the import. */
  actor?: Actor
  /** The job that remembers what is written. */
  job_id?: string | undefined
  /** Offers the owner what clashes with their later edits; left out: it is only told. */
  offer?: OfferConflict | undefined
  /** Told what became of the files of each batch; awaited. */
  onOutcomes?: ((outcomes: readonly FileOutcome[], done: number) => Promise<void>) | undefined
  /** Takes the messages among the files; left out: they stay out. */
  importMail?: ImportMail | undefined
  /** Only says what would happen; writes nothing. */
  preview?: boolean
  formats?: Formats
  kinds?: Kinds
}

// Measured on PGlite: beyond 25 files a larger batch gains nothing, and a server that imports answers no one else
// for as long as a batch takes.
const filesPerBatch = 25
const bytesPerBatch = 8 * 1024 * 1024
const maxPerBatch = 500
/** Statistics are renewed after so many new entities, each time that they have doubled, and at the end. */
const firstAnalyzed = 500

/**
 * Brings files in: creates what is new, updates what changed, leaves alone what the owner edited or deleted. Throws
 * only when the database cannot be reached or `files` throws; what is wrong with a file is in the result.
 */
export async function importFiles(options: ImportOptions): Promise<ImportResult> {
  const { database, writer, space_id, source, onProgress, signal } = options
  const { gone = [], kinds = ownKinds, formats = await ownFormats() } = options
  const result = emptyResult()
  const parser = createParser()
  const budget = createBudget()
  const context = { parser, budget, scratch: options.importFolder }
  const unpacked = expandFiles(options.files, { ...context, root: options.root ?? null })
  const files = expandPictures(applyManifest(unpacked), budget)
  let done = 0
  let nextAnalyzed = firstAnalyzed
  const { job_id, offer, actor, preview = false, importMail = leaveOut } = options

  try {
    for await (const batch of inBatches(files, { formats, parser: options.formats ? null : parser })) {
      if (signal?.aborted) {
        result.stopped = true
        break
      }
      const about = { space_id, source, kinds, gone, writer, job_id, offer, actor }
      const outcomes = [
        ...batch.told,
        ...(await (preview ? previewBatch : importBatch)(database, about, batch.files)),
        ...(await importMail({ space_id, messages: batch.messages, job_id, preview })),
      ]
      addOutcomes(result, outcomes)
      done += batch.count
      await options.onOutcomes?.(outcomes, done)
      onProgress?.(done)
      if (preview || result.counts.created < nextAnalyzed) continue
      await analyzeFilledTables(database)
      nextAnalyzed *= 2
    }
    if (!preview && result.counts.created > 0) await analyzeFilledTables(database)
  } finally {
    await parser.close()
  }
  return result
}

/** `told` are the outcomes of files that need no writing. */
type Batch = {
  files: PreparedFile[]
  messages: MessageFile[]
  told: FileOutcome[]
  count: number
  bytes: number
}

const emptyBatch = (): Batch => ({ files: [], messages: [], told: [], count: 0, bytes: 0 })

const leaveOut: ImportMail = async ({ messages }) =>
  messages.map(({ path }) => skipped(path, 'it is a message, and no mail is taken here'))

async function* inBatches(files: AsyncIterable<PlainFile>, options: PrepareOptions): AsyncGenerator<Batch> {
  let batch = emptyBatch()

  for await (const file of files) {
    const prepared = prepareFile(options, file)
    batch.count++
    if ('message' in prepared) {
      batch.messages.push(prepared)
      batch.bytes += prepared.message.length
    } else if (!('skip' in prepared)) {
      batch.files.push(prepared)
      batch.bytes += prepared.size
    } else if (!prepared.hidden) batch.told.push(skipped(prepared.path, prepared.skip))
    const read = batch.files.length + batch.messages.length
    if (batch.count >= maxPerBatch || read >= filesPerBatch || batch.bytes >= bytesPerBatch) {
      yield batch
      batch = emptyBatch()
    }
  }
  if (batch.count > 0) yield batch
}

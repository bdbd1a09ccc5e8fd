import type { Database } from '../db/pool.ts'
import { AppError } from '../errors.ts'
import { decide } from './decide.ts'
import { SkippedFile } from './format.ts'
import { loadKnownFiles } from './known-files.ts'
import { type FileOutcome, skipped } from './outcome.ts'
import { leave } from './place-task.ts'
import type { PreparedFile } from './prepare-file.ts'
import { type BatchOptions, writeBatch } from './write-batch.ts'

/**
 * Brings in the files of a batch in one transaction. A file that cannot be parsed is left out beforehand; when the
 * transaction fails, each file gets one of its own, so that only the bad one is lost. A batch of nothing new costs a
 * few reads. Throws when the database cannot be reached.
 */
export async function importBatch(
  database: Database,
  options: BatchOptions,
  files: readonly PreparedFile[],
): Promise<FileOutcome[]> {
  const known = await loadKnownFiles(database, options, files)
  const decided = files.map((file) => ({ file, decision: decide(known, file) }))
  const outcomes: FileOutcome[] = []
  const toWrite: PreparedFile[] = []

  for (const { file, decision } of decided) {
    if (decision.action === 'unchanged' || decision.action === 'deleted') {
      outcomes.push(leave(known, file.path, decision.action, decision.file))
      continue
    }
    const problem = await problemOf(file)
    if (problem === null) toWrite.push(file)
    else outcomes.push(skipped(file.path, problem))
  }
  return [...outcomes, ...(await write(database, options, toWrite))]
}

async function problemOf(file: PreparedFile): Promise<string | null> {
  try {
    await file.parse()
    return null
  } catch (error) {
    return reasonOf(error)
  }
}

async function write(database: Database, options: BatchOptions, files: readonly PreparedFile[]) {
  if (files.length === 0) return []
  try {
    return await database.transaction((tx) => writeBatch(tx, options, files))
  } catch (error) {
    if (isUnreachable(error)) throw error
    if (files.length === 1) return [skipped(files[0]!.path, reasonOf(error))]
  }

  const placed: FileOutcome[] = []
  for (const file of files) placed.push(...(await write(database, options, [file])))
  return placed
}

const isUnreachable = (error: unknown) => error instanceof AppError && error.status === 503

function reasonOf(error: unknown): string {
  if (error instanceof SkippedFile) return error.message
  return `it cannot be stored: ${error instanceof Error ? error.message : String(error)}`
}

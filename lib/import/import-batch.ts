import type { Database, Queryable } from '../db/pool.ts'
import { AppError } from '../errors.ts'
import type { FileConflict } from './batch-context.ts'
import { type Decision, decide } from './decide.ts'
import { asTitle, stemOf } from './file-name.ts'
import { SkippedFile } from './format.ts'
import { type KnownFilesOptions, loadKnownFiles } from './known-files.ts'
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
  const { settled, open } = await sortFiles(database, options, files)
  const toWrite = open.map(({ file }) => file)
  return [...settled, ...(await write(database, options, toWrite))]
}

/** What `importBatch` would do, as far as can be told without doing it. Reads only. */
export async function previewBatch(
  database: Queryable,
  options: KnownFilesOptions,
  files: readonly PreparedFile[],
): Promise<FileOutcome[]> {
  const { settled, open } = await sortFiles(database, options, files)
  const planned = open.map(async ({ file, decision }): Promise<FileOutcome> => {
    const { type, title, warnings } = await file.parse()
    const outcome = planOf[decision.action]
    const known = 'file' in decision ? decision.file.entity_id : null
    const { path } = file
    return {
      path,
      outcome,
      title: asTitle(title ?? stemOf(path)),
      entity_type: type,
      entity_id: known,
      reason: null,
      warnings,
    }
  })
  return [...settled, ...(await Promise.all(planned))]
}

const planOf = {
  create: 'created',
  update: 'updated',
  move: 'moved',
  conflict: 'conflict',
  deleted: 'deleted',
  unchanged: 'unchanged',
} as const

/** The files that need no writing with their outcomes, and the others, which can be parsed. */
async function sortFiles(database: Queryable, options: KnownFilesOptions, files: readonly PreparedFile[]) {
  const known = await loadKnownFiles(database, options, files)
  const settled: FileOutcome[] = []
  const open: { file: PreparedFile; decision: Decision }[] = []

  for (const file of files) {
    const decision = decide(known, file)
    if (decision.action === 'unchanged' || decision.action === 'deleted') {
      settled.push(leave(known, file.path, decision.action, decision.file))
      continue
    }
    const problem = await problemOf(file)
    if (problem === null) open.push({ file, decision })
    else settled.push(skipped(file.path, problem))
  }
  return { settled, open }
}

async function problemOf(file: PreparedFile): Promise<string | null> {
  try {
    await file.parse()
    return null
  } catch (error) {
    return reasonOf(error)
  }
}

async function write(
  database: Database,
  options: BatchOptions,
  files: readonly PreparedFile[],
): Promise<FileOutcome[]> {
  if (files.length === 0) return []
  try {
    const { outcomes, conflicts } = await database.transaction((tx) => writeBatch(tx, options, files))
    return await offerAll(options, outcomes, conflicts)
  } catch (error) {
    if (isUnreachable(error)) throw error
    if (files.length === 1) return [skipped(files[0]!.path, reasonOf(error))]
  }

  const placed: FileOutcome[] = []
  for (const file of files) placed.push(...(await write(database, options, [file])))
  return placed
}

/** The outcomes, with what became of the offers in the place of plain conflicts. */
async function offerAll(
  { offer, space_id, source }: BatchOptions,
  outcomes: readonly FileOutcome[],
  conflicts: readonly FileConflict[],
): Promise<FileOutcome[]> {
  if (!offer) return [...outcomes]
  const reasons = new Map<string, string>()
  for (const one of conflicts) reasons.set(one.path, await offer({ space_id, source }, one))
  return outcomes.map((one) => ({ ...one, reason: reasons.get(one.path) ?? one.reason }))
}

const isUnreachable = (error: unknown) => error instanceof AppError && error.status === 503

function reasonOf(error: unknown): string {
  if (error instanceof SkippedFile) return error.message
  return `it cannot be stored: ${error instanceof Error ? error.message : String(error)}`
}

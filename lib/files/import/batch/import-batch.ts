import type { Writer } from '../../../content/writes/write.ts'
import type { FileOutcome } from '../../../contract/imports.ts'
import { AppError } from '../../../core/errors.ts'
import { stemOf } from '../../../core/text/paths.ts'
import { isDiskFull } from '../../../db/pg-errors.ts'
import type { Database, Queryable, Tx } from '../../../db/pool.ts'
import { createAuditRepo } from '../../../db/repos/audit.ts'
import { createImportWritesRepo } from '../../../db/repos/import_files.ts'
import { createImportOutcomesRepo } from '../../../db/repos/import_jobs.ts'
import type { Dates } from '../../vault/manifest.ts'
import { asTitle, SkippedFile } from '../../vault/paths.ts'
import { skipped } from '../file/outcome.ts'
import { type PreparedFile, withAttached } from '../parse/prepare-file.ts'
import { createBatchContext, type Decision, decide, type FileConflict } from './batch-context.ts'
import { createFolderPages } from './folder-pages.ts'
import { type KnownFilesOptions, loadKnownFiles } from './known-files.ts'
import type { OfferConflict } from './offer-conflict.ts'
import { leave, placeFile } from './place-file.ts'

/**
 * Imports the files of a batch in a few short transactions. Files that cannot be parsed are excluded beforehand; if a
 * transaction fails, each file gets its own, so that only the bad one is lost. A batch without changes costs a few
 * reads. Throws if the database cannot be reached.
 */
export async function importBatch(
  database: Database,
  options: BatchOptions,
  files: readonly PreparedFile[],
): Promise<FileOutcome[]> {
  const { settled, open } = await sortFiles(database, options, files)
  const toWrite = await Promise.all(open.map(({ file }) => withAttached(file)))
  return [...settled, ...(await write(database, options, toWrite.flat()))]
}

/** Predicts the outcome of `importBatch`. Read-only. */
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

/** Outcomes of the files that need no writing; and the other files, which can be parsed. */
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
    if (isDiskFull(error)) throw error
    return reasonOf(error)
  }
}

async function write(
  database: Database,
  options: BatchOptions,
  files: readonly PreparedFile[],
): Promise<FileOutcome[]> {
  const outcomes: FileOutcome[] = []
  for (let from = 0; from < files.length; ) {
    const { count, ...written } = await writeSome(database, options, files.slice(from))
    outcomes.push(...(await offerAll(options, written.outcomes, written.conflicts)))
    from += count
  }
  return outcomes
}

async function writeSome(
  database: Database,
  options: BatchOptions,
  files: readonly PreparedFile[],
): Promise<Written> {
  try {
    return await database.transaction((tx) => writeBatch(tx, options, files))
  } catch (error) {
    if (isNotItsFault(error)) throw error
    if (files.length === 1) {
      return { outcomes: [skipped(files[0]!.path, reasonOf(error))], conflicts: [], count: 1 }
    }
  }

  const each = { outcomes: [] as FileOutcome[], conflicts: [] as FileConflict[], count: files.length }
  for (const file of files) {
    const { outcomes, conflicts } = await writeSome(database, options, [file])
    each.outcomes.push(...outcomes)
    each.conflicts.push(...conflicts)
  }
  return each
}

/** The outcomes, with those of the offers in place of plain conflicts. */
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

/** The database is unreachable or the disk full: the same file may be imported later. */
const isNotItsFault = (error: unknown) =>
  (error instanceof AppError && error.status === 503) || isDiskFull(error)

function reasonOf(error: unknown): string {
  if (error instanceof SkippedFile) return error.message
  return `it could not be stored: ${error instanceof Error ? error.message : String(error)}`
}

type BatchOptions = KnownFilesOptions & {
  writer: Writer
  /** The job that records the writes, so that they can be undone. */
  job_id?: string | undefined
  /** Offers the owner a file's version that conflicts with their later edit. Called after the commit. */
  offer?: OfferConflict | undefined
  /** The dates of folders, by path. */
  folderDates?: ReadonlyMap<string, Dates> | undefined
}

/** The first `count` files of the batch are written. */
type Written = { outcomes: FileOutcome[]; conflicts: readonly FileConflict[]; count: number }

/** After this time the remaining files get another transaction: the embedded database serves nobody else meanwhile. */
const maxTransactionMs = 50

/**
 * Writes files of a batch in the caller's transaction, in order: at least one, and no more once the time is up. Throws
 * if one of them cannot be written.
 */
async function writeBatch(tx: Tx, options: BatchOptions, files: readonly PreparedFile[]): Promise<Written> {
  // From here on, imports take turns: what was read stays true until the commit.
  await createAuditRepo(tx).lock()
  const known = await loadKnownFiles(tx, options, files)
  const ctx = createBatchContext(tx, { ...options, known })
  const folders = createFolderPages(ctx, options.folderDates)
  const placed: FileOutcome[] = []

  const started = performance.now()
  let count = 0
  while (count < files.length && (count === 0 || performance.now() - started < maxTransactionMs)) {
    placed.push(await placeFile({ ctx, folders, file: files[count++]! }))
  }
  await known.save()
  const outcomes = [...folders.made, ...placed]
  if (options.job_id) {
    await createImportWritesRepo(tx).add(options.job_id, ctx.writes)
    // Also here: a run after a crash finds these files unchanged, and reports that only for files without an earlier
    // outcome.
    await createImportOutcomesRepo(tx).save(options.job_id, outcomes)
  }
  return { outcomes, conflicts: ctx.conflicts, count }
}

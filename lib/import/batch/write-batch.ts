import type { FileOutcome } from '../../contract/imports.ts'
import type { Queryable } from '../../db/pool.ts'
import { createAuditRepo } from '../../db/repos/audit.ts'
import { createImportWritesRepo } from '../../db/repos/import_files.ts'
import { createImportOutcomesRepo } from '../../db/repos/import_jobs.ts'
import type { Writer } from '../../writes/write.ts'
import type { PreparedFile } from '../parse/prepare-file.ts'
import { createBatchContext, type FileConflict } from './batch-context.ts'
import { createFolderPages } from './folder-pages.ts'
import type { KnownFilesOptions } from './known-files.ts'
import { loadKnownFiles } from './load-known-files.ts'
import type { OfferConflict } from './offer-conflict.ts'
import { placeFile } from './place-file.ts'

export type BatchOptions = KnownFilesOptions & {
  writer: Writer
  /** The job that remembers what is written, so that it can be taken back. */
  job_id?: string | undefined
  /** Offers the owner what a file says against their later edit. Called after the commit. */
  offer?: OfferConflict | undefined
}

/** `count` files of the batch are written, the first ones. */
export type Written = { outcomes: FileOutcome[]; conflicts: readonly FileConflict[]; count: number }

/** After this long the rest is left to another transaction: the embedded database answers nobody else meanwhile. */
const maxTransactionMs = 50

/**
 * Writes files of a batch in the caller's transaction, in their order: at least one, and no further one once that has
 * taken long. Throws when one of them cannot be written.
 */
export async function writeBatch(
  tx: Queryable,
  options: BatchOptions,
  files: readonly PreparedFile[],
): Promise<Written> {
  // Imports take turns from here on: what is known stays true until the commit.
  await createAuditRepo(tx).lock()
  const known = await loadKnownFiles(tx, options, files)
  const ctx = createBatchContext(tx, { ...options, known })
  const folders = createFolderPages(ctx)
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
    // Here too: a run after a crash finds these files unchanged, and says so only where nothing was said before.
    await createImportOutcomesRepo(tx).save(options.job_id, outcomes)
  }
  return { outcomes, conflicts: ctx.conflicts, count }
}

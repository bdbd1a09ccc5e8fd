import type { Writer } from '../changes/write.ts'
import type { Queryable } from '../db/pool.ts'
import { createAuditRepo } from '../db/repos/audit.ts'
import { createImportWritesRepo } from '../db/repos/import_writes.ts'
import { createBatchContext, type FileConflict } from './batch-context.ts'
import { createFolderPages } from './folder-pages.ts'
import { type KnownFilesOptions, loadKnownFiles } from './known-files.ts'
import type { OfferConflict } from './offer-conflict.ts'
import type { FileOutcome } from './outcome.ts'
import { placeFile } from './place-file.ts'
import type { PreparedFile } from './prepare-file.ts'

export type BatchOptions = KnownFilesOptions & {
  writer: Writer
  /** The job that remembers what is written, so that it can be taken back. */
  job_id?: string | undefined
  /** Offers the owner what a file says against their later edit. Called after the commit. */
  offer?: OfferConflict | undefined
}

export type Written = { outcomes: FileOutcome[]; conflicts: readonly FileConflict[] }

/** Writes the files of a batch in the caller's transaction, in their order. Throws when one of them cannot be. */
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

  for (const file of files) placed.push(await placeFile({ ctx, folders, file }))
  await known.save()
  if (options.job_id) await createImportWritesRepo(tx).add(options.job_id, ctx.writes)
  return { outcomes: [...folders.made, ...placed], conflicts: ctx.conflicts }
}

import type { Writer } from '../changes/write.ts'
import type { Queryable } from '../db/pool.ts'
import { createAuditRepo } from '../db/repos/audit.ts'
import { createBatchContext } from './batch-context.ts'
import { createFolderPages } from './folder-pages.ts'
import { type KnownFilesOptions, loadKnownFiles } from './known-files.ts'
import type { FileOutcome } from './outcome.ts'
import { placeFile } from './place-file.ts'
import type { PreparedFile } from './prepare-file.ts'

export type BatchOptions = KnownFilesOptions & { writer: Writer }

/** Writes the files of a batch in the caller's transaction, in their order. Throws when one of them cannot be. */
export async function writeBatch(
  tx: Queryable,
  options: BatchOptions,
  files: readonly PreparedFile[],
): Promise<FileOutcome[]> {
  // Imports take turns from here on: what is known stays true until the commit.
  await createAuditRepo(tx).lock()
  const known = await loadKnownFiles(tx, options, files)
  const ctx = createBatchContext(tx, { ...options, known })
  const folders = createFolderPages(ctx)
  const placed: FileOutcome[] = []

  for (const file of files) placed.push(await placeFile({ ctx, folders, file }))
  await known.save()
  return [...folders.made, ...placed]
}

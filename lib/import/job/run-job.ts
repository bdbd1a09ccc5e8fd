import type { Writer } from '../../changes/write.ts'
import type { Database } from '../../db/pool.ts'
import { createImportJobsRepo, type ImportJobRow, type Upload } from '../../db/repos/import_jobs.ts'
import { createImportOutcomesRepo } from '../../db/repos/import_outcomes.ts'
import type { Kinds } from '../../entities/kinds.ts'
import { baseName, folderOf } from '../file-name.ts'
import { findGone } from '../find-gone.ts'
import { importFiles } from '../import-files.ts'
import { compareNames } from '../import-order.ts'
import { joinMessages } from '../mail/join-files.ts'
import type { OfferConflict } from '../offer-conflict.ts'
import { readFiles } from '../read-folder.ts'
import type { StagedFiles } from './staged-files.ts'

export type RunJobOptions = {
  database: Database
  kinds: Kinds
  writer: Writer
  offer: OfferConflict
  staged: StagedFiles
  job: ImportJobRow
  preview: boolean
  signal: AbortSignal
}

/** Brings in what was handed over for a job, or says what would come of it, telling the database how far it is. */
export async function runJob(options: RunJobOptions): Promise<void> {
  const { database, kinds, writer, offer, staged, job, preview, signal } = options
  const { id, space_id, source, root } = job
  const uploads = await createImportJobsRepo(database).listUploads(id)
  const found = inOrder(uploads).map(({ path, name }) => ({ path, location: staged.locationOf(id, name) }))
  const { paths: gone } = await findGone({
    database,
    kinds,
    space_id,
    source,
    root,
    present: found.map(({ path }) => path),
  })

  await importFiles({
    database,
    kinds,
    writer,
    space_id,
    source,
    root,
    gone,
    files: readFiles(await joinMessages(found)),
    signal,
    preview,
    ...(preview ? {} : { job_id: id, offer }),
    async onOutcomes(outcomes, done) {
      await createImportOutcomesRepo(database).save(id, outcomes)
      await createImportJobsRepo(database).progress(id, done)
    },
  })
}

// As on disk: the files of a folder, what describes it first, then the folders below.
function inOrder(uploads: readonly Upload[]): Upload[] {
  const byFolder = Map.groupBy(uploads, ({ path }) => folderOf(path))
  return [...byFolder.keys()]
    .sort((a, b) => (a < b ? -1 : 1))
    .flatMap((folder) => {
      const compare = compareNames(folder)
      return byFolder.get(folder)!.toSorted((a, b) => compare(baseName(a.path), baseName(b.path)))
    })
}

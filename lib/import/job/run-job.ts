import type { Database } from '../../db/pool.ts'
import {
  createImportJobsRepo,
  createImportOutcomesRepo,
  type ImportJobRow,
} from '../../db/repos/import_jobs.ts'
import type { Kinds } from '../../entities/kinds.ts'
import type { Writer } from '../../writes/write.ts'
import type { OfferConflict } from '../batch/offer-conflict.ts'
import { findMissing } from '../find-gone.ts'
import { importFiles } from '../import-files.ts'
import type { ImportMail } from '../mail/import-mail.ts'
import { readUploads } from './read-uploads.ts'
import type { StagedFiles } from './staged-files.ts'

export type RunJobOptions = {
  database: Database
  kinds: Kinds
  writer: Writer
  offer: OfferConflict
  staged: StagedFiles
  importFolder: string
  importMail: ImportMail
  job: ImportJobRow
  preview: boolean
  signal: AbortSignal
  lost: () => void
}

/** Brings in what was handed over for a job, or says what would come of it. `lost` is called when the job is another's. */
export async function runJob(options: RunJobOptions): Promise<void> {
  const { database, kinds, writer, offer, staged, importFolder, importMail, job, preview, signal, lost } =
    options
  const { id, space_id, source, root } = job
  const uploads = await staged.list(id)
  const { paths: gone } = await findMissing({
    database,
    kinds,
    space_id,
    source,
    root,
    present: uploads.map(({ path }) => path),
  })

  await importFiles({
    database,
    kinds,
    writer,
    importFolder,
    importMail,
    space_id,
    source,
    root,
    gone,
    files: readUploads(staged, uploads, importFolder),
    signal,
    preview,
    ...(preview ? {} : { job_id: id, offer }),
    async onOutcomes(outcomes, done) {
      await createImportOutcomesRepo(database).save(id, outcomes)
      const broughtIn = outcomes.some(({ outcome }) => outcome === 'created' || outcome === 'updated')
      const held = await createImportJobsRepo(database).progress(job, done, broughtIn && !preview)
      if (!held) lost()
    },
  })
}

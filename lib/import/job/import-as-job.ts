import { v7 as uuid } from 'uuid'
import type { ImportResult } from '../../contract/imports.ts'
import type { TrustLevel } from '../../contract/trust.ts'
import type { Database } from '../../db/pool.ts'
import { createImportJobsRepo, createImportOutcomesRepo } from '../../db/repos/import_jobs.ts'
import { createTrustedOriginsRepo } from '../../db/repos/trusted_origins.ts'
import type { Kinds } from '../../entities/kinds.ts'
import type { Writer } from '../../writes/write.ts'
import type { OfferConflict } from '../batch/offer-conflict.ts'
import type { SourceFile } from '../file/source-file.ts'
import { importFiles } from '../import-files.ts'
import type { ImportMail } from '../mail/import-mail.ts'

export type ImportRun = {
  space_id: string
  source: string
  files: AsyncIterable<SourceFile>
  gone: readonly string[]
  /** For a source that the owner has said nothing about yet; left out: nobody vouches for it. */
  trust?: TrustLevel
  /** The archive that is the whole import. */
  root?: string | null
  /** Only finds out what would happen. */
  preview?: boolean
  onProgress: (done: number) => void
  signal: AbortSignal
}

type Deps = {
  database: Database
  kinds: Kinds
  writer: Writer
  offer: OfferConflict
  importFolder: string
  importMail: ImportMail
}

/**
 * Brings files in that this process reads itself, remembered as a job so that it can be taken back. One that a crash
 * breaks off stays `stopped`: its files are not here to go on with, but in the folder that they came from.
 */
export async function importAsJob(deps: Deps, run: ImportRun): Promise<ImportResult> {
  const { database } = deps
  const { space_id, source, root = null, trust = 'outside' } = run
  await createTrustedOriginsRepo(database).propose({ space_id, kind: 'import', key: source }, trust)
  const jobs = createImportJobsRepo(database)
  const { id } = await jobs.insert({ id: uuid(), space_id, source, root })
  const job = (await jobs.enter(id, ['open'], { state: 'stopped' }))!
  const result = await importFiles({
    ...deps,
    ...run,
    job_id: id,
    async onOutcomes(outcomes, done) {
      await createImportOutcomesRepo(database).save(id, outcomes)
      await jobs.progress(job, done, false)
    },
  })
  if (!result.stopped) await jobs.enter(id, ['stopped'], { state: 'done' })
  return result
}

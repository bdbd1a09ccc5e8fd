import { v7 as uuid } from 'uuid'
import type { Writer } from '../../changes/write.ts'
import type { Database } from '../../db/pool.ts'
import { createImportJobsRepo } from '../../db/repos/import_jobs.ts'
import { createImportOutcomesRepo } from '../../db/repos/import_outcomes.ts'
import type { Kinds } from '../../entities/kinds.ts'
import { importFiles } from '../import-files.ts'
import type { ImportRun } from '../import-target.ts'
import type { OfferConflict } from '../offer-conflict.ts'
import type { ImportResult } from '../outcome.ts'

type Deps = { database: Database; kinds: Kinds; writer: Writer; offer: OfferConflict }

/**
 * Brings files in that this process reads itself, remembered as a job so that it can be taken back. One that a crash
 * breaks off stays `stopped`: its files are not here to go on with, but in the folder that they came from.
 */
export async function importAsJob(deps: Deps, run: ImportRun): Promise<ImportResult> {
  const { database } = deps
  const { space_id, source, root = null } = run
  const jobs = createImportJobsRepo(database)
  const { id } = await jobs.insert({ id: uuid(), space_id, source, root })
  await jobs.enter(id, ['open'], { state: 'stopped' })
  const result = await importFiles({
    ...deps,
    ...run,
    job_id: id,
    async onOutcomes(outcomes, done) {
      await createImportOutcomesRepo(database).save(id, outcomes)
      await jobs.progress(id, done)
    },
  })
  if (!result.stopped) await jobs.enter(id, ['stopped'], { state: 'done' })
  return result
}

import { type ImportJob, Outcome } from '../../contract/imports.ts'
import type { Queryable } from '../../db/pool.ts'
import {
  createImportJobsRepo,
  createImportOutcomesRepo,
  type ImportJobRow,
} from '../../db/repos/import_jobs.ts'
import { emptyResult } from '../import-result.ts'

/** How far a job is, and what came of it in numbers. In a preview, what would come. */
export async function summarizeJob(db: Queryable, job: ImportJobRow): Promise<ImportJob> {
  const { counts, created } = emptyResult()
  for (const { outcome, entity_type, folder, count } of await createImportOutcomesRepo(db).count(job.id)) {
    const known = Outcome.options.find((one) => one === outcome)
    if (known && !folder) counts[known] += count
    if (outcome === 'created') {
      const type = folder ? 'folder' : (entity_type ?? 'other')
      created[type] = (created[type] ?? 0) + count
    }
  }
  const { claim: _claim, attempts: _attempts, ...shown } = job
  return { ...shown, ...(await createImportJobsRepo(db).sumUploads(job.id)), counts, created }
}

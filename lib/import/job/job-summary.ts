import type { Queryable } from '../../db/pool.ts'
import { createImportJobsRepo, type ImportJobRow } from '../../db/repos/import_jobs.ts'
import { createImportOutcomesRepo } from '../../db/repos/import_outcomes.ts'
import { emptyResult, type ImportResult, outcomes } from '../outcome.ts'

/** A job as it is told: how far it is, and what came of it in numbers. In a preview, what would come. */
export type ImportJob = Omit<ImportJobRow, 'done'> & {
  files: number
  bytes: number
  done: number
} & Pick<ImportResult, 'counts' | 'created'>

export async function summarizeJob(db: Queryable, job: ImportJobRow): Promise<ImportJob> {
  const { counts, created } = emptyResult()
  for (const { outcome, entity_type, folder, count } of await createImportOutcomesRepo(db).count(job.id)) {
    const known = outcomes.find((one) => one === outcome)
    if (known && !folder) counts[known] += count
    if (outcome === 'created') {
      const type = folder ? 'folder' : (entity_type ?? 'other')
      created[type] = (created[type] ?? 0) + count
    }
  }
  return { ...job, ...(await createImportJobsRepo(db).sumUploads(job.id)), counts, created }
}

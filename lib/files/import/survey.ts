import type { Survey } from '../../contract/imports.ts'
import type { Queryable } from '../../db/pool.ts'
import { createImportFilesRepo } from '../../db/repos/import_files.ts'
import { findMissing } from './import-files.ts'

export type SurveyOptions = {
  database: Queryable
  space_id: string
  source: string
  /** Every path in the folder. */
  present: readonly string[]
}

/** Compares a folder's names with earlier imports of it. Read-only. */
export async function surveyFolder(options: SurveyOptions): Promise<Survey> {
  const { paths: gone, kept } = await findMissing(options)
  return { gone, kept, lookalike: await findLookalike(options) }
}

// A vault that was moved on disk would otherwise be imported a second time. A handful of shared names (README.md,
// index.md) proves nothing.
const minSharedPaths = 5

async function findLookalike({ database, space_id, source, present }: SurveyOptions) {
  const counts = await createImportFilesRepo(database).countBySource(space_id, present)
  if (counts.some((known) => known.source === source)) return null
  const best = counts[0]
  return best && best.count >= minSharedPaths && best.count * 2 > present.length ? best : null
}

import type { Survey } from '../../contract/imports.ts'
import type { Queryable } from '../../db/pool.ts'
import { createImportFilesRepo } from '../../db/repos/import_files.ts'
import { findMissing } from './import-files.ts'

export type SurveyOptions = {
  database: Queryable
  space_id: string
  source: string
  /** Every path that is in the folder now. */
  present: readonly string[]
}

/** Compares the names in a folder with what earlier imports made of it. Reads only. */
export async function surveyFolder(options: SurveyOptions): Promise<Survey> {
  const { paths: gone, kept } = await findMissing(options)
  return { gone, kept, lookalike: await findLookalike(options) }
}

// A vault that was moved on disk would otherwise come in a second time. A handful of shared names (README.md,
// index.md) proves nothing.
const minSharedPaths = 5

async function findLookalike({ database, space_id, source, present }: SurveyOptions) {
  const counts = await createImportFilesRepo(database).countBySource(space_id, present)
  if (counts.some((known) => known.source === source)) return null
  const best = counts[0]
  return best && best.count >= minSharedPaths && best.count * 2 > present.length ? best : null
}

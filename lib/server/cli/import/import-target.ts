import type { ImportResult, Survey } from '../../../contract/imports.ts'
import type { ImportRun } from '../../../files/import/job/import-jobs.ts'

export type TargetSpace = { id: string; slug: string; name: string; created: boolean }

/** Where the import command brings its files: a database that it opened itself, or a server that runs on it. */
export type ImportTarget = {
  /** What to tell the user about where the files go; `null` for the usual. */
  note: string | null
  /** The Space with this slug, made if there is none. */
  enterSpace(slug: string, name: string): Promise<TargetSpace>
  /** The Space with this slug; `null` when there is none. */
  findSpace(slug: string): Promise<TargetSpace | null>
  survey(place: { space_id: string; source: string; present: readonly string[] }): Promise<Survey>
  importFiles(run: ImportRun): Promise<ImportResult>
  close(): Promise<void>
}

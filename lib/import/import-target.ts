import type { ImportResult } from './outcome.ts'
import type { SourceFile } from './source-file.ts'
import type { Survey } from './survey.ts'

export type TargetSpace = { id: string; slug: string; name: string; created: boolean }

export type ImportRun = {
  space_id: string
  source: string
  files: AsyncIterable<SourceFile>
  gone: readonly string[]
  /** The archive that is the whole import. */
  root?: string | null
  /** Only finds out what would happen. */
  preview?: boolean
  onProgress: (done: number) => void
  signal: AbortSignal
}

/** Where the import command brings its files: a database that it opened itself, or a server that runs on it. */
export type ImportTarget = {
  /** What to tell the user about where the files go; `null` for the usual. */
  note: string | null
  /** Whether messages are to be joined to conversations before they come here. */
  joinsMessages: boolean
  /** The Space with this slug, made if there is none. */
  enterSpace(slug: string, name: string): Promise<TargetSpace>
  /** The Space with this slug; `null` when there is none. */
  findSpace(slug: string): Promise<TargetSpace | null>
  survey(place: { space_id: string; source: string; present: readonly string[] }): Promise<Survey>
  importFiles(run: ImportRun): Promise<ImportResult>
  close(): Promise<void>
}

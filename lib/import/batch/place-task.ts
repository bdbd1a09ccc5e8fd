// What the ways to place a file share.

import type { FileOutcome, Outcome } from '../../contract/imports.ts'
import type { ImportedFile } from '../../db/repos/import_files.ts'
import { type EntityRow, titleOf } from '../../entities/kind.ts'
import { asTitle, folderOf, stemOf } from '../../vault/file-name.ts'
import type { ParsedFile } from '../file/format.ts'
import type { PreparedFile } from '../parse/prepare-file.ts'
import type { BatchContext } from './batch-context.ts'
import type { FolderPages } from './folder-pages.ts'
import type { KnownFiles } from './known-files.ts'

export type PlaceTask = { ctx: BatchContext; folders: FolderPages; file: PreparedFile }

/** The entity's fields. A page that describes `folder` from inside stands where the folder stands, and is named so. */
export async function fieldsOf(
  task: PlaceTask,
  parsed: ParsedFile,
  folder: string | null,
): Promise<Record<string, unknown>> {
  const { file, folders } = task
  const inside = folder !== null && file.path.startsWith(folder)
  const title = asTitle(parsed.title ?? stemOf(inside ? folder : file.path))
  if (parsed.type !== 'page') return { title, ...parsed.fields, ...(await referencesOf(task, parsed)) }

  const parent_id = await folders.pageOf(folderOf(inside ? folder : file.path))
  return { title, ...parsed.fields, parent_id }
}

// By a path as an export wrote it, from wherever the export lies now. What is not there is left out.
async function referencesOf({ ctx, file }: PlaceTask, { references = {} }: ParsedFile) {
  const found: Record<string, string> = {}
  for (const [field, path] of Object.entries(references)) {
    const places: string[] = []
    for (let folder = folderOf(file.path); ; folder = folderOf(folder)) {
      places.push(folder + path)
      if (folder === '') break
    }
    const target = await ctx.fileAt(places)
    if (target) found[field] = target.entity_id
  }
  return found
}

/** The folder whose page this file is, lying in it. */
export function describedFolder({ ctx }: PlaceTask, file: ImportedFile): string | null {
  const folder = folderOf(file.path)
  return ctx.known.find(folder)?.entity_id === file.entity_id ? folder : null
}

type Settled = { outcome: Outcome; parsed: ParsedFile; row: EntityRow; folder: string | null }

/** Every path by which links may name the file's entity. */
export const pathsOf = ({ file }: PlaceTask, folder: string | null, parsed?: ParsedFile): string[] => [
  ...(folder ? [folder] : []),
  file.path,
  ...(parsed?.knownAs ?? []),
]

/** Remembers what was written. */
export function settle(task: PlaceTask, { outcome, parsed, row, folder }: Settled): FileOutcome {
  const { ctx, file } = task
  if (folder) ctx.known.record(folder, null, parsed.type, row)
  ctx.known.record(file.path, file.sha256, parsed.type, row)
  return {
    path: file.path,
    outcome,
    title: titleOf(row),
    entity_type: parsed.type,
    entity_id: row.id,
    reason: null,
    warnings: parsed.warnings,
  }
}

/** The outcome of a file whose entity is left as it is. */
export function leave(known: KnownFiles, path: string, outcome: Outcome, before: ImportedFile): FileOutcome {
  return {
    path,
    outcome,
    title: known.titleOf(before),
    entity_type: before.entity_type,
    entity_id: before.entity_id,
    reason: null,
    warnings: [],
  }
}

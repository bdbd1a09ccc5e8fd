import type { FileOutcome } from '../../contract/imports.ts'
import type { ImportedFile } from '../../db/repos/import_files.ts'
import { folderOf } from '../../vault/file-name.ts'
import { describedFolder, fieldsOf, leave, type PlaceTask, pathsOf } from './place-task.ts'

/**
 * The file has another path than before and the same bytes: its entity moves with it. One that was edited here keeps
 * its title and its place; it only answers to the new path.
 */
export async function moveFile(task: PlaceTask, from: ImportedFile): Promise<FileOutcome> {
  const { ctx, folders, file } = task
  const { known } = ctx
  await folders.follow(folderOf(from.path), folderOf(file.path))
  const moved = known.move(from, file.path)
  if (!known.living(moved)) return leave(task.ctx.known, task.file.path, 'deleted', moved)

  const { entity_id: id, entity_type: type, version } = moved
  const folder = describedFolder(task, moved)
  if (known.isUntouched(moved)) {
    const { title, parent_id } = await fieldsOf(task, await file.parse(), folder)
    const fields = type === 'page' ? { title, parent_id } : { title }
    const row = await ctx.write({ action: 'update', type, id, version, fields })
    known.record(file.path, file.sha256, type, row)
  }
  await ctx.keepPaths(type, id, pathsOf(task, folder))
  return { ...leave(task.ctx.known, task.file.path, 'moved', moved), reason: `it was ${from.path}` }
}

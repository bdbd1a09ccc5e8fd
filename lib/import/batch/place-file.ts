// One file of a batch, inside the batch's transaction: compared with what is known of it, then created, updated,
// moved or left alone.

import type { FileOutcome } from '../../contract/imports.ts'
import type { ImportedFile } from '../../db/repos/import_files.ts'
import { titleOf } from '../../entities/kind.ts'
import { asTitle } from '../../vault/file-name.ts'
import { changedFields } from '../../writes/validate-fields.ts'
import { isClipping } from '../file/is-clipping.ts'
import { decide } from './decide.ts'
import { moveFile } from './move-file.ts'
import { describedFolder, fieldsOf, leave, type PlaceTask, pathsOf, settle } from './place-task.ts'

/** Throws what `Writer.write` and the format throw; the transaction is then lost. */
export async function placeFile(task: PlaceTask): Promise<FileOutcome> {
  const decision = decide(task.ctx.known, task.file)

  switch (decision.action) {
    case 'create':
      return await create(task)
    case 'update':
      return await update(task, decision.file)
    case 'move':
      return await moveFile(task, decision.file)
    case 'conflict':
      return await settleConflict(task, decision.file)
    default:
      return leave(task.ctx.known, task.file.path, decision.action, decision.file)
  }
}

async function create(task: PlaceTask): Promise<FileOutcome> {
  const { ctx, folders, file } = task
  const parsed = await file.parse()
  const { type, hidden } = parsed
  const origin = isClipping(parsed) ? 'web' : 'import'
  const described = type === 'page' ? folders.describedBy(file.path) : null
  const page = described?.page
  // The file that describes a folder may come after the folder's page was made, and edited.
  if (page && !ctx.known.isUntouched(page)) return leave(task.ctx.known, task.file.path, 'conflict', page)

  const fields = await fieldsOf(task, parsed, described?.folder ?? null)
  const paths = pathsOf(task, described?.folder ?? null, parsed)
  const row = page
    ? await ctx.write({ action: 'update', type, id: page.entity_id, version: page.version, fields })
    : await ctx.write({ action: 'create', type, fields, paths, origin, ...(hidden && { hidden }) })
  if (page) await ctx.keepPaths(type, row.id, paths)
  return settle(task, { outcome: 'created', parsed, row, folder: described?.folder ?? null })
}

async function update(task: PlaceTask, before: ImportedFile, title?: string): Promise<FileOutcome> {
  const { ctx, file } = task
  const parsed = await file.parse()
  const folder = describedFolder(task, before)
  const fields = { ...(await fieldsOf(task, parsed, folder)), ...(title !== undefined && { title }) }
  const { entity_id: id, entity_type: type, version } = before

  // What is fixed once it exists, such as the text of a source document, is taken out and put in anew.
  if (type !== parsed.type || ctx.kinds.get(type).fixed.length > 0) {
    const { hidden } = parsed
    await ctx.write({ action: 'delete', type, id, version })
    const paths = pathsOf(task, folder, parsed)
    const row = await ctx.write({
      action: 'create',
      type: parsed.type,
      fields,
      paths,
      ...(hidden && { hidden }),
    })
    return settle(task, { outcome: 'updated', parsed, row, folder: null })
  }

  const row = await ctx.write({ action: 'update', type, id, version, fields })
  const outcome = row.version === version ? 'unchanged' : 'updated'
  return settle(task, { outcome, parsed, row, folder })
}

// Both were edited: to the same end, or the file's side is offered to the owner. An original has nothing to merge: the
// owner's title stays, and the new text comes in.
async function settleConflict(task: PlaceTask, before: ImportedFile): Promise<FileOutcome> {
  const { ctx, file } = task
  const row = await ctx.current(before.entity_type, before.entity_id)
  const parsed = await file.parse()
  const { path, sha256 } = file
  if (row && parsed.type === before.entity_type) {
    if (Object.keys(changedFields(row, parsed.fields)).length === 0) return accept(task, before)
    if (ctx.kinds.get(parsed.type).fixed.length > 0) {
      return await update(task, { ...before, version: row.version }, titleOf(row))
    }
    const { entity_type, entity_id, version } = before
    const fields = parsed.title === null ? parsed.fields : { title: asTitle(parsed.title), ...parsed.fields }
    ctx.conflict({ path, sha256, entity_type, entity_id, version, fields })
  }
  return leave(ctx.known, path, 'conflict', before)
}

function accept(task: PlaceTask, before: ImportedFile): FileOutcome {
  task.ctx.known.accept(before, task.file.sha256)
  return leave(task.ctx.known, task.file.path, 'unchanged', before)
}

// One file of a batch, inside the batch's transaction: compared with its import history, then created, updated, moved
// or left alone.

import { changedFields } from '../../../content/writes/validate-fields.ts'
import { type EntityRow, textOf, titleOf } from '../../../contract/entities/kind.ts'
import type { FileOutcome, Outcome } from '../../../contract/imports.ts'
import { extensionOf, folderOf, isNotePath, stemOf } from '../../../core/text/paths.ts'
import type { ImportedFile } from '../../../db/repos/import_files.ts'
import { asTitle, placeable } from '../../vault/paths.ts'
import type { ParsedFile } from '../file/format.ts'
import { isClipping } from '../file/note-fields.ts'
import type { PreparedFile } from '../parse/prepare-file.ts'
import { type BatchContext, decide } from './batch-context.ts'
import type { FolderPages } from './folder-pages.ts'
import type { KnownFiles } from './known-files.ts'

/** Throws the errors of `Writer.write` and of the format; the transaction is then lost. */
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
  const { type, hidden, written } = parsed
  const origin = type === 'page' && isClipping(textOf(parsed.fields.body)) ? 'web' : 'import'
  const described = type === 'page' ? folders.describedBy(file.path) : null
  const page = described?.page
  // The file that describes a folder may be imported after the folder's page was created and edited.
  if (page && !ctx.known.isUntouched(page)) return leave(task.ctx.known, task.file.path, 'conflict', page)

  const fields = await fieldsOf(task, parsed, described?.folder ?? null)
  const path = pathFor(file.path, parsed)
  const row = page
    ? await ctx.write({
        action: 'update',
        type,
        id: page.entity_id,
        version: page.version,
        fields,
        path,
        written,
      })
    : await ctx.write({
        action: 'create',
        type,
        fields,
        path,
        formerPaths: formerPaths(file.path, parsed),
        origin,
        written,
        ...(hidden && { hidden }),
      })
  return await settle(task, { outcome: 'created', parsed, row, folder: described?.folder ?? null })
}

async function update(task: PlaceTask, before: ImportedFile, title?: string): Promise<FileOutcome> {
  const { ctx, file } = task
  const parsed = await file.parse()
  const folder = describedFolder(task, before)
  const fields = { ...(await fieldsOf(task, parsed, folder)), ...(title !== undefined && { title }) }
  const { entity_id: id, entity_type: type, version } = before

  // Entities with immutable fields, such as a source document's text, are deleted and created again.
  if (type !== parsed.type || ctx.kinds.get(type).fixed.length > 0) {
    const { hidden, written } = parsed
    await ctx.write({ action: 'delete', type, id, version })
    const row = await ctx.write({
      action: 'create',
      type: parsed.type,
      fields,
      path: pathFor(file.path, parsed),
      formerPaths: formerPaths(file.path, parsed),
      written,
      ...(hidden && { hidden }),
    })
    return await settle(task, { outcome: 'updated', parsed, row, folder: null })
  }

  const path = pathFor(file.path, parsed)
  const written = await laterOf(task, before, parsed)
  const row = await ctx.write({ action: 'update', type, id, version, fields, path, written })
  const outcome = row.version === version ? 'unchanged' : 'updated'
  return await settle(task, { outcome, parsed, row, folder })
}

// Both were edited: identically, or the file's version is offered to the owner. An original cannot be merged: the
// owner's title stays, and the new text replaces the old.
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

/**
 * The file has moved, with the same bytes: its entity moves with it. An entity that was edited here keeps its title and
 * its place; only its link paths change.
 */
async function moveFile(task: PlaceTask, from: ImportedFile): Promise<FileOutcome> {
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
    const parsed = await file.parse()
    const path = pathFor(file.path, parsed)
    const written = await laterOf(task, moved, parsed)
    const row = await ctx.write({ action: 'update', type, id, version, fields, path, written })
    known.record(file.path, file.sha256, type, row)
  } else await ctx.keepPath(type, id, file.path)
  return { ...leave(task.ctx.known, task.file.path, 'moved', moved), reason: `it was ${from.path}` }
}

/** A file's date, unless its entity was written after it. */
async function laterOf({ ctx }: PlaceTask, before: ImportedFile, { written }: ParsedFile) {
  const row = written && (await ctx.current(before.entity_type, before.entity_id))
  if (!row) return undefined
  const isLater = Date.parse(written.updated_at) > Date.parse(row.updated_at)
  return { updated_at: isLater ? written.updated_at : row.updated_at }
}

// Shared by the ways to place a file.

export type PlaceTask = { ctx: BatchContext; folders: FolderPages; file: PreparedFile }

/** The entity's fields. A page that describes `folder` from inside gets the folder's place and name. */
async function fieldsOf(
  task: PlaceTask,
  parsed: ParsedFile,
  folder: string | null,
): Promise<Record<string, unknown>> {
  const { file, folders } = task
  const inside = folder !== null && file.path.startsWith(folder)
  const title = asTitle(parsed.title ?? stemOf(inside ? folder : file.path))
  if (parsed.type !== 'page') return { title, ...parsed.fields, ...(await referencesOf(task, parsed)) }

  const parent_id = await folders.pageOf(folderOf(inside ? folder : file.path), parsed.written)
  return { title, ...parsed.fields, parent_id }
}

// Resolves a path as written by an export, relative to the export's present location. Missing files are omitted.
async function referencesOf({ ctx, file }: PlaceTask, { references = {} }: ParsedFile) {
  const fields: Record<string, string> = {}
  for (const [field, path] of Object.entries(references)) {
    const places: string[] = []
    for (let folder = folderOf(file.path); ; folder = folderOf(folder)) {
      places.push(folder + path)
      if (folder === '') break
    }
    const target = await ctx.fileAt(places)
    if (target) fields[field] = target.entity_id
  }
  return fields
}

/** The folder whose page this file is, if it lies in it. */
function describedFolder({ ctx }: PlaceTask, file: ImportedFile): string | null {
  const folder = folderOf(file.path)
  return ctx.known.find(folder)?.entity_id === file.entity_id ? folder : null
}

type Settled = { outcome: Outcome; parsed: ParsedFile; row: EntityRow; folder: string | null }

/** The path of the file's entity. A page from a file of another format is a note beside it. */
function pathFor(path: string, { type, place = path }: ParsedFile): string {
  const own = placeable(place)
  return type === 'page' && !isNotePath(own)
    ? `${own.slice(0, own.length - extensionOf(own).length)}.md`
    : own
}

/** Other paths by which links name it. */
const formerPaths = (path: string, parsed: ParsedFile): string[] => [
  ...(parsed.knownAs ?? []),
  ...(pathFor(path, parsed) === path ? [] : [path]),
]

/** Says where an entity is that could not keep the path of its file. */
function placeWarning(path: string, parsed: ParsedFile, row: EntityRow): string[] {
  if (typeof row.path !== 'string' || row.path === pathFor(path, parsed)) {
    const isKept = typeof row.path !== 'string' || placeable(path) === path
    return isKept ? [] : [`its path is not possible on every system; it is “${row.path}” here`]
  }
  return [`something else has this path, or one that differs by case alone; it is “${row.path}” here`]
}

/** Records the write. */
async function settle(task: PlaceTask, { outcome, parsed, row, folder }: Settled): Promise<FileOutcome> {
  const { ctx, file } = task
  if (parsed.type === 'page' && (parsed.exact || outcome !== 'created'))
    await ctx.keepBytes(row, parsed.exact ?? null, parsed.readAs ?? null)
  if (folder) ctx.known.record(folder, null, parsed.type, row)
  ctx.known.record(file.path, file.sha256, parsed.type, row)
  return {
    path: file.path,
    outcome,
    title: titleOf(row),
    entity_type: parsed.type,
    entity_id: row.id,
    reason: null,
    warnings: [...parsed.warnings, ...placeWarning(file.path, parsed, row)],
  }
}

/** The outcome of a file whose entity is left unchanged. */
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

// The path of a page or a file: given to a new one from its title and its parent, kept unique in its Space, and in step
// with both. A page that gets another title or parent moves, with what lies in its folder; one that gets another path
// gets the title and the parent that it says. A title that is not the file's name stays apart from it.

import { type EntityRow, type Kind, textOf, titleOf } from '../../contract/entities/kind.ts'
import { conflict } from '../../core/errors.ts'
import { cleanLine } from '../../core/text/clean.ts'
import { namesOfPath } from '../../core/text/links/resolve-link.ts'
import { normalizeName } from '../../core/text/normalize-name.ts'
import {
  baseName,
  extensionOf,
  folderBelow,
  folderOf,
  pathKey,
  problemOfPath,
  rankAsFolderNote,
  stemOf,
  titleAsStem,
} from '../../core/text/paths.ts'
import type { Queryable } from '../../db/pool.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createNamesRepo, type Place, type PlacedEntity } from '../../db/repos/names.ts'
import { freePath, listTaken, pageOfFolder } from './free-path.ts'

export const hasPath = (kind: Kind): boolean => Object.hasOwn(kind.fields.shape, 'path')

export const pathOf = (row: EntityRow): string | null => (typeof row.path === 'string' ? row.path : null)

/** Files that nobody has placed. */
const filesFolder = 'Attachments/'

type NewPlace = {
  space_id: string
  id: string
  fields: Record<string, unknown>
  /** As it is in the folder that it comes from: another one if it is taken. */
  wanted?: string | undefined
}

/** The path of a new page or file, and the parent that it says. Throws a 409 `path_taken` for one that was asked for. */
export async function placeNew(tx: Queryable, kind: Kind, place: NewPlace): Promise<Record<string, unknown>> {
  const { space_id, id, fields, wanted } = place
  const asked = fields.path
  if (typeof asked !== 'string') return { path: await pathOfNew(tx, kind, place) }
  await checkFree(tx, { space_id, id, path: asked })
  if (wanted !== undefined || kind.type !== 'page' || fields.parent_id) return { path: asked }
  return { path: asked, parent_id: await pageOfFolder(tx, space_id, parentFolder(asked)) }
}

async function pathOfNew(tx: Queryable, kind: Kind, place: NewPlace): Promise<string> {
  const { space_id, id, fields, wanted } = place
  if (wanted !== undefined) return await freePath(tx, { space_id, id, path: wanted })
  const title = textOf(fields.title)
  if (kind.type !== 'page') return await freePath(tx, { space_id, id, path: fileFor(title) })
  const folder = await folderFor(tx, space_id, fields.parent_id)
  return await freePath(tx, { space_id, id, path: `${folder}${titleAsStem(title)}.md` })
}

export const placeOf = (kind: Kind, { space_id, id }: EntityRow): Place => ({
  space_id,
  entity_type: kind.type,
  entity_id: id,
})

/** Makes the path of a page or a file the one that nothing else may have. */
export async function takePath(tx: Queryable, kind: Kind, row: EntityRow): Promise<void> {
  const path = pathOf(row)
  if (path !== null) await createNamesRepo(tx).setPathKey(placeOf(kind, row), pathKey(path))
}

const fileFor = (title: string) =>
  `${filesFolder}${titleAsStem(stemOf(title.replaceAll('/', '-')))}${extensionFor(title)}`

/** As it is written. */
const extensionFor = (title: string) => {
  const extension = extensionOf(title)
  return /^\.\w{1,20}$/.test(extension) ? title.slice(-extension.length) : ''
}

async function folderFor(tx: Queryable, space_id: string, parentId: unknown): Promise<string> {
  if (typeof parentId !== 'string') return ''
  const path = await createNamesRepo(tx).findPath(space_id, parentId)
  return path === null ? '' : folderBelow(path)
}

async function checkFree(
  tx: Queryable,
  { space_id, id, path }: { space_id: string; id: string; path: string },
) {
  if ((await listTaken(tx, space_id, id, [path])).size === 0) return
  throw conflict(
    'path_taken',
    `“${path}” is the path of something else in this Space. Choose another name or folder.`,
    {
      field: 'path',
    },
  )
}

/**
 * What an update changes besides: the path, or by the path title and parent. `wanted` is a path that gives way, as all do
 * that are put back. Throws a 409 `path_taken`. `{}` for a kind without one.
 */
export async function placeAfter(
  tx: Queryable,
  kind: Kind,
  row: EntityRow,
  after: Readonly<Record<string, unknown>>,
  wanted: string | undefined,
  restores: boolean,
): Promise<Record<string, unknown>> {
  if (!hasPath(kind)) return {}
  const { space_id, id } = row
  const path = pathOf(row)
  if (wanted !== undefined)
    return { path: wanted === path ? path : await freePath(tx, { space_id, id, path: wanted }) }
  if (path === null) return {}
  if (typeof after.path === 'string') {
    const place = { space_id, id, path: after.path }
    if (!restores) await checkFree(tx, place)
    return await fieldsAt(tx, kind, row, { ...after, path: await freePath(tx, place) })
  }
  const next = kind.type === 'page' ? await pagePath(tx, row, path, after) : filePath(row, path, after)
  return next === path ? {} : { path: await freePath(tx, { space_id, id, path: next }) }
}

/** The title and the parent that a path says. */
async function fieldsAt(
  tx: Queryable,
  kind: Kind,
  row: EntityRow,
  after: Readonly<Record<string, unknown>> & { path: string },
): Promise<Record<string, unknown>> {
  const old = pathOf(row)!
  const given: Record<string, unknown> = { path: after.path }
  if (after.title === undefined && isNamed(titleOf(row), nameOf(kind, old)))
    given.title = nameOf(kind, after.path)
  const isMoved = parentFolder(old) !== parentFolder(after.path)
  if (kind.type === 'page' && after.parent_id === undefined && isMoved)
    given.parent_id = await pageOfFolder(tx, row.space_id, parentFolder(after.path))
  return given
}

/** What a path says that something is called. */
function nameOf(kind: Kind, path: string): string {
  if (kind.type !== 'page') return baseName(path)
  return describesFolder(path) ? stemOf(folderOf(path)) : stemOf(path)
}

const describesFolder = (path: string): boolean => rankAsFolderNote(path) !== null

/** The folder that the page above a page stands for. */
const parentFolder = (path: string): string => folderOf(describesFolder(path) ? folderOf(path) : path)

/** Whether a name is the title, or what became of it. */
const isNamed = (title: string, name: string): boolean =>
  name === title || name.replace(/ \(\d+\)$/, '') === titleAsStem(title)

/** Creates the pages of folders that a path names and that are not there. */
export async function createFolders(
  tx: Queryable,
  { type, space_id, fields = {} }: { type: string; space_id: string; fields?: Record<string, unknown> },
  create: (fields: Record<string, unknown>) => Promise<EntityRow>,
): Promise<void> {
  const { path } = fields
  if (type !== 'page' || typeof path !== 'string' || fields.parent_id || problemOfPath(path) !== null) return
  const folder = parentFolder(path)
  if (folder === '' || (await pageOfFolder(tx, space_id, folder)) !== null) return
  await create({ title: cleanLine(stemOf(folder)) || 'Untitled', path: folder })
}

async function pagePath(
  tx: Queryable,
  row: EntityRow,
  path: string,
  after: Readonly<Record<string, unknown>>,
): Promise<string> {
  const isFolder = path.endsWith('/') || describesFolder(path)
  const whole = describesFolder(path) ? folderOf(path) : path
  const name = path.endsWith('/') || describesFolder(path) ? stemOf(whole) : stemOf(path)
  const isRenamed = typeof after.title === 'string' && isNamed(titleOf(row), name)
  const next = isRenamed ? titleAsStem(textOf(after.title)) : name
  const folder =
    after.parent_id === undefined ? folderOf(whole) : await folderFor(tx, row.space_id, after.parent_id)
  if (!isFolder) return `${folder}${next}${baseName(path).slice(name.length)}`
  // A folder that gets a text is a file beside its folder.
  if (path.endsWith('/')) return textOf(after.body) === '' ? `${folder}${next}/` : `${folder}${next}.md`
  const file = baseName(path)
  const own = stemOf(path) === name ? `${next}${file.slice(name.length)}` : file
  return `${folder}${next}/${own}`
}

function filePath(row: EntityRow, path: string, { title }: Readonly<Record<string, unknown>>): string {
  if (typeof title !== 'string' || titleOf(row) !== baseName(path)) return path
  const extension = extensionOf(title) === '' ? baseName(path).slice(stemOf(path).length) : ''
  return `${folderOf(path)}${baseName(fileFor(`${title}${extension}`))}`
}

/** Moves what lies in the folder of a page that got another path; what was moved, with its new path. */
export async function moveBelow(
  tx: Queryable,
  space_id: string,
  from: string,
  to: string,
): Promise<PlacedEntity[]> {
  const [old, next] = [folderBelow(from), folderBelow(to)]
  if (old === next) return []
  const names = createNamesRepo(tx)
  const moved: PlacedEntity[] = []
  for (const { path, ...entity } of await names.listWithin(space_id, pathKey(old))) {
    const wanted = next + path.slice(old.length)
    const free = await freePath(tx, { space_id, id: entity.entity_id, path: wanted })
    await names.setPath({ space_id, ...entity }, free)
    await names.setPathKey({ space_id, ...entity }, pathKey(free))
    moved.push({ ...entity, path: free })
  }
  return moved
}

const maxDepth = 100

/** Gives a page or a file that has no path one, after the pages above it: that of its import, or as a new one would get. */
export async function placeUnplaced(
  tx: Queryable,
  kind: Kind,
  row: EntityRow,
  depth = 0,
): Promise<EntityRow> {
  const { space_id, id, parent_id } = row
  const parent =
    typeof parent_id === 'string' ? await createEntitiesRepo(tx).find(kind, space_id, parent_id) : null
  if (parent && pathOf(parent) === null && depth < maxDepth) await placeUnplaced(tx, kind, parent, depth + 1)
  const names = createNamesRepo(tx)
  const imported = wantedPath(await names.findImported(space_id, id))
  const isFolder = imported?.endsWith('/') && textOf(row.body) !== ''
  const wanted = (isFolder ? `${imported?.slice(0, -1)}.md` : imported) ?? undefined
  const path = await pathOfNew(tx, kind, { space_id, id, fields: row, wanted })
  const placed = { ...row, path }
  await names.setPath(placeOf(kind, row), path)
  if (row.deleted_at === null) await takePath(tx, kind, placed)
  return placed
}

const wantedPath = (path: string | null) => (path === null || problemOfPath(path) !== null ? null : path)

/** The names by which links lead to an entity and will not after an update, normalized. */
export function namesLeft(row: EntityRow, fields: Readonly<Record<string, unknown>>): string[] {
  const title = normalizeName(titleOf(row))
  const path = pathOf(row)
  const isRenamed = typeof fields.title === 'string' && normalizeName(fields.title) !== title
  const isMoved =
    (typeof fields.path === 'string' && fields.path !== path) ||
    (fields.parent_id !== undefined && fields.parent_id !== row.parent_id)
  const isNamedSo = path !== null && isRenamed && isNamed(titleOf(row), stemOf(path))
  const byPath = path !== null && (isMoved || isNamedSo) ? namesOfPath(path) : []
  return [...new Set([...(isRenamed ? [title] : []), ...byPath])]
}

/** The path without the number that kept it apart from one that is free by now; `null`: it stays. */
export async function unnumberedPath(tx: Queryable, row: EntityRow): Promise<string | null> {
  const path = pathOf(row)
  const match = path === null ? null : /^(.*) \(\d+\)(\.[^./]*|\/)?$/s.exec(path)
  if (!match || stemOf(match[1]!) !== titleAsStem(titleOf(row))) return null
  const plain = `${match[1]}${match[2] ?? ''}`
  return (await freePath(tx, { ...row, path: plain })) === plain ? plain : null
}

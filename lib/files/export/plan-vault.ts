import type { Queryable } from '../../db/pool.ts'
import { createVaultExportRepo, type DocumentRow, type TreeRow } from '../../db/repos/export.ts'
import { boundEntry, type MailEntry } from '../vault/manifest.ts'
import {
  checkPath,
  createNumberedNames,
  extensionOf,
  folderOf,
  isHidden,
  safeName,
  stemOf,
} from '../vault/paths.ts'

/** Folders for entities without a tree; a top-level page with one of these names gets another. */
export const folders = {
  project: 'Projects/',
  ref: 'Refs/',
  resource: 'Resources/',
  page_view: 'Views/',
  task: 'Tasks/',
  source_doc: 'Attachments/',
  research: 'Research runs/',
  mail: 'Mail/',
  trash: 'Trash/',
} as const

export type VaultPlan = {
  /** Assigns a file its name. */
  name: FileNames
  /** Paths of pages and projects, by id. */
  paths: ReadonlyMap<string, string>
  documents: readonly (DocumentRow & { path: string })[]
  /** Research runs: the path of the readable file and of the data. */
  research: readonly { id: string; path: string; data: string }[]
  /** Messages: the path and the manifest entry. */
  mail: readonly { id: string; path: string; entry: MailEntry }[]
}

/** Plans all paths: names come first, since files refer to one another. Holds no texts. */
export async function planVault(db: Queryable, spaceId: string): Promise<VaultPlan> {
  const repo = createVaultExportRepo(db)
  const name = createFileNames(Object.values(folders).map((folder) => folder.slice(0, -1)))
  const paths = new Map<string, string>()
  placePages(await repo.listTree(spaceId), name, paths)
  for (const { id, title } of await repo.listProjects(spaceId))
    paths.set(id, name(folders.project, title, '.md'))
  const documents = (await repo.listDocuments(spaceId)).map((row) => ({
    ...row,
    path: placeDocument(row, name),
  }))
  const research = (await repo.listResearch(spaceId)).map(({ id, title }) => {
    const path = name(folders.research, title, '.md')
    return { id, path, data: `${path.slice(0, -'.md'.length)}.json` }
  })
  const mail = (await repo.listMail(spaceId)).map(({ id, title, sent_at, sent, places }) => {
    const day = new Date(sent_at).toISOString().slice(0, 10)
    const path = name(`${folders.mail}${day.slice(0, 4)}/`, `${day} ${title}`, '.eml')
    return { id, path, entry: boundEntry({ sent, places }) }
  })
  return { name, paths, documents, research, mail }
}

// `Lamp.md` beside `Lamp/`, which holds its children. Iterative, since a tree may be deep.
function placePages(rows: readonly TreeRow[], name: FileNames, paths: Map<string, string>): void {
  const below = Map.groupBy(rows, ({ parent_id }) => parent_id)
  const waiting: { row: TreeRow; folder: string }[] = (below.get(null) ?? []).map((row) => ({
    row,
    folder: '',
  }))
  for (let at = 0; at < waiting.length; at++) {
    const { row, folder } = waiting[at]!
    const path = name(folder, row.title, '.md')
    paths.set(row.id, path)
    const inside = `${path.slice(0, -'.md'.length)}/`
    waiting.push(...(below.get(row.id) ?? []).map((child) => ({ row: child, folder: inside })))
  }
}

// Its path at import, so that links to it still work.
function placeDocument({ title, metadata }: DocumentRow, name: FileNames): string {
  const importPath = typeof metadata.path === 'string' ? checkPath(metadata.path) : null
  const lay =
    importPath && !importPath.problem && !importPath.hidden && Buffer.byteLength(importPath.path) < 1000
      ? importPath.path
      : title
  const inside = lay === title ? '' : folderOf(lay).split('/').map(safeFolder).join('/')
  return name(
    folders.source_doc + inside,
    stemOf(lay === title ? title.replaceAll('/', '-') : lay),
    extensionOf(lay),
  )
}

/** Maximum characters and bytes of a name: file systems allow 255 bytes, including an extension and a number. */
const maxCharacters = 80

const maxStemBytes = 220

const maxExtensionBytes = 20

/** Bytes of a folder's path beyond which names are numbers: every file system limits paths. */
const deepestPath = 1200

type FileNames = ReturnType<typeof createFileNames>

/** Assigns file names that are valid on every system, unique per folder, ignoring case. */
export function createFileNames(reserved: readonly string[] = []) {
  const taken = new Set(reserved.map((name) => fold(name)))
  const nextName = createNumberedNames()

  /** A path in `folder` (empty, or with a trailing slash) for a title; it is also free without the extension. */
  return (folder: string, title: string, given: string): string => {
    const extension = Buffer.byteLength(given) > maxExtensionBytes ? '' : safeName(given)
    const stem = Buffer.byteLength(folder) > deepestPath ? 'p' : safeStem(title)
    const name = nextName(folder + stem + extension, stem, (name) => isTaken(folder + name, extension))
    taken.add(fold(folder + name))
    taken.add(fold(folder + name + extension))
    return folder + name + extension
  }

  function isTaken(path: string, extension: string): boolean {
    return taken.has(fold(path)) || taken.has(fold(path + extension))
  }
}

/** A title as a file name: without characters that a system rejects, interprets or hides. */
function safeStem(title: string): string {
  const plain = title
    .normalize('NFC')
    .replace(/[#^[\]]/g, '-')
    .replace(/\s+/g, ' ')
  const short = safeName(cutName(plain).replace(/^[. ]+/, ''))
  return (isHidden(short) ? `_${short}` : short) || 'Untitled'
}

/** Empty behind the last slash. */
const safeFolder = (part: string): string => (part === '' ? '' : safeName(cutName(part)) || '_')

/** A name that fits on every disk, cut at a character boundary. */
export function cutName(text: string): string {
  let short = ''
  let bytes = 0
  for (const character of [...text.slice(0, 2 * maxCharacters)].slice(0, maxCharacters)) {
    bytes += Buffer.byteLength(character)
    if (bytes > maxStemBytes) break
    short += character
  }
  return short.toWellFormed()
}

const fold = (path: string) => path.normalize('NFC').toLowerCase()

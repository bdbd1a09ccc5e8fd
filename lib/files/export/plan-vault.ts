import {
  extensionOf,
  folderOf,
  isHidden,
  isNotePath,
  problemOfPath,
  rankAsFolderNote,
  safeName,
  stemOf,
} from '../../core/text/paths.ts'
import type { Queryable } from '../../db/pool.ts'
import { createVaultExportRepo, type DocumentRow, type PageFileRow } from '../../db/repos/export.ts'
import { boundEntry, type MailEntry } from '../vault/manifest.ts'
import { asTitle, createNumberedNames, manifestName, notesBeside } from '../vault/paths.ts'

/** Folders for what has no path. */
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
  /** Of the rest, as they are read. */
  placed: Map<string, string>
  /** What an import calls the page of a file that does not name itself. */
  nameOf: (path: string) => string
  documents: readonly (DocumentRow & { path: string })[]
  /** Research runs: the path of the readable file and of the data. */
  research: readonly { id: string; path: string; data: string }[]
  /** Messages: the path and the manifest entry. */
  mail: readonly { id: string; path: string; entry: MailEntry }[]
}

/** Plans all paths: names come first, since files refer to one another. Holds no texts. */
export async function planVault(db: Queryable, spaceId: string): Promise<VaultPlan> {
  const repo = createVaultExportRepo(db)
  const pages = await repo.listPages(spaceId)
  const rows = await repo.listDocuments(spaceId)
  const placed = [...pages, ...rows].flatMap(({ path }) => (path === null ? [] : [path]))
  const name = createFileNames([manifestName, ...placed.map((path) => path.replace(/\/$/, ''))])
  const held = new Set(placed.flatMap(foldersAbove))
  const paths = new Map(pages.map((page) => [page.id, pageFile(page, held) ?? name('', page.title, '.md')]))
  for (const { id, title } of await repo.listProjects(spaceId))
    paths.set(id, name(folders.project, title, '.md'))
  const isFree = freePaths(placed)
  const documents = rows.map((row) => {
    const own =
      row.path ?? name(folders.source_doc, stemOf(row.title.replaceAll('/', '-')), extensionOf(row.title))
    const { original_of: holder } = row.metadata
    return { ...row, path: typeof holder === 'string' && isFree(holder) ? holder : own }
  })
  const research = (await repo.listResearch(spaceId)).map(({ id, title }) => {
    const path = name(folders.research, title, '.md')
    return { id, path, data: `${path.slice(0, -'.md'.length)}.json` }
  })
  const mail = (await repo.listMail(spaceId)).map(({ id, title, sent_at, sent, places }) => {
    const day = new Date(sent_at).toISOString().slice(0, 10)
    const path = name(`${folders.mail}${day.slice(0, 4)}/`, `${day} ${title}`, '.eml')
    return { id, path, entry: boundEntry({ sent, places }) }
  })
  return { name, paths, placed: new Map(), nameOf: namesByFile(placed), documents, research, mail }
}

function foldersAbove(path: string): string[] {
  const folders: string[] = []
  for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) folders.push(folder)
  return folders
}

/** Whether what a page was read from can lie where it was; once for each path. */
function freePaths(placed: readonly string[]): (path: string) => boolean {
  const taken = new Set(placed.map(fold))
  return (path) => problemOfPath(path) === null && !taken.has(fold(path)) && Boolean(taken.add(fold(path)))
}

/**
 * The file of a page. One that stands for a folder, without a text or a name of its own, is the folder alone where
 * something lies in it.
 */
function pageFile(
  { title, path, position, has_text }: PageFileRow,
  held: ReadonlySet<string>,
): string | null {
  if (path === null || !path.endsWith('/')) return path
  const isBare = !has_text && position === 0 && title === asTitle(stemOf(path))
  return isBare && held.has(path) ? path : `${path.slice(0, -1)}.md`
}

/** A page that describes its folder, and is the first to, has the name of that. */
function namesByFile(placed: readonly string[]): (path: string) => string {
  const all = new Set(placed)
  const best = new Map<string, { path: string; rank: number }>()
  for (const path of placed) {
    const rank = rankAsFolderNote(path)
    const folder = folderOf(path)
    const isBeside = notesBeside(folder).some((beside) => all.has(beside))
    if (rank === null || isBeside || !isNotePath(path)) continue
    const known = best.get(folder)
    if (!known || rank < known.rank || (rank === known.rank && path < known.path))
      best.set(folder, { path, rank })
  }
  return (path) => stemOf(best.get(folderOf(path))?.path === path ? folderOf(path) : path)
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

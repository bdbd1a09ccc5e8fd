// What the pages of a Space hold, as notes of a folder.

import { folderOf, isNotePath, problemOfPath } from '../../core/text/paths.ts'
import { createFolderPagesRepo, type NotePage } from '../../db/repos/folder_pages.ts'
import type { FolderEntry } from '../../db/repos/folders.ts'
import { hashOf } from '../vault/note-bytes.ts'
import type { Held } from './disk/scan.ts'
import { folderAgent } from './folder-agent.ts'
import type { Pass } from './folder-deps.ts'
import { type IgnoreRules, isOrdersFile, noteOfCopy } from './plan/ignore-rules.ts'
import type { PageState } from './plan/match-notes.ts'

/** `text`: hash. */
export type PageLook = { version: number; text: string }

export type PagesLook = {
  pages: PageState[]
  /** By id. */
  looks: Map<string, PageLook>
  held: Held[]
  /** Pages of entries that are in the trash. */
  trashed: Set<string>
}

const readAtOnce = 100

export async function lookAtPages(
  { database, folder }: Pass,
  rules: IgnoreRules,
  entries: readonly FolderEntry[],
): Promise<PagesLook> {
  const repo = createFolderPagesRepo(database, folder.space_id)
  const all = await repo.list()
  const known = new Map(entries.flatMap((entry) => (entry.page_id === null ? [] : [[entry.page_id, entry]])))
  const look: PagesLook = { pages: [], looks: new Map(), held: [], trashed: new Set() }
  const toRead: NotePage[] = []
  const scripts = new Set<string>()
  for (const page of all) {
    const entry = known.get(page.id)
    if (!isNote(page.path, rules)) {
      if (entry) hold(look, page, 'its page is at a path that is not followed')
    } else if (entry?.page_version === page.version && entry.page_text !== null)
      add(look, page, { version: page.version, text: entry.page_text })
    else toRead.push(page)
  }
  for (let from = 0; from < toRead.length; from += readAtOnce) {
    const some = toRead.slice(from, from + readAtOnce)
    const bodies = new Map((await repo.read(some.map(({ id }) => id))).map((body) => [body.id, body]))
    for (const page of some) {
      const body = bodies.get(page.id)
      if (body) add(look, page, { version: body.version, text: hashOf(body.body) })
      if (body?.body.startsWith('#!')) scripts.add(page.id)
    }
  }
  const present = new Set(all.map(({ id }) => id))
  const gone = [...known.keys()].filter((id) => !present.has(id))
  look.trashed = new Set(await repo.listTrashed(gone))
  await holdOrders(look, { repo, pages: all, known, scripts })
  return look
}

type Candidates = {
  repo: ReturnType<typeof createFolderPagesRepo>
  pages: readonly NotePage[]
  known: ReadonlyMap<string, FolderEntry>
  /** Pages that a system may run. */
  scripts: ReadonlySet<string>
}

/** What programs obey or run is not written, moved or deleted because of a draft, unless the owner typed its path. */
async function holdOrders(look: PagesLook, { repo, pages, known, scripts }: Candidates): Promise<void> {
  const trashed = [...look.trashed].map((id) => ({ id, path: known.get(id)!.path }))
  const candidates = [...pages, ...trashed].flatMap(({ id, path }) => {
    const entry = known.get(id)
    const isOrders = isOrdersFile(path) || (entry && isOrdersFile(entry.path)) || scripts.has(id)
    const isInStep = entry && look.looks.get(id)?.text === entry.base_text && entry.path === path
    return isOrders && !isInStep ? [{ id, path, since: entry?.page_version ?? 0 }] : []
  })
  const drafted = new Set(await repo.listDrafted(candidates, folderAgent.id))
  for (const { id, path } of candidates) {
    if (!drafted.has(id)) continue
    look.pages = look.pages.filter((page) => page.id !== id)
    look.looks.delete(id)
    look.trashed.delete(id)
    hold(look, { id, path }, 'a draft changed it, and programs obey or run such a file')
  }
}

function hold(look: PagesLook, { id, path }: Pick<NotePage, 'id' | 'path'>, reason: string): void {
  look.held.push({ path, reason })
  look.pages.push({ id, path, side: { is: 'held', reason } })
}

function add(look: PagesLook, { id, path }: NotePage, one: PageLook): void {
  look.looks.set(id, one)
  look.pages.push({ id, path, side: { is: 'text', text: one.text } })
}

function isNote(path: string, rules: IgnoreRules): boolean {
  if (!isNotePath(path) || problemOfPath(path) !== null) return false
  return noteOfCopy(path) === null && !isIgnored(path, rules)
}

export function isIgnored(path: string, rules: IgnoreRules): boolean {
  if (rules.ignores(path, false)) return true
  for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder))
    if (rules.ignores(folder.slice(0, -1), true)) return true
  return false
}

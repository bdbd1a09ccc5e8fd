// What the pages of a Space hold, as notes of a folder.

import { folderOf, isNotePath, problemOfPath } from '../../core/text/paths.ts'
import { createFolderPagesRepo, type NotePage } from '../../db/repos/folder_pages.ts'
import type { FolderEntry } from '../../db/repos/folders.ts'
import { hashOf } from './disk/note-bytes.ts'
import type { Held } from './disk/scan.ts'
import type { Pass } from './folder-deps.ts'
import { type IgnoreRules, isConflictCopy, isOrdersFile } from './plan/ignore-rules.ts'
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
  for (const page of all) {
    const entry = known.get(page.id)
    if (!isNote(page.path, rules)) {
      if (entry) hold(look, page, 'its page is at a path that is not followed')
    } else if (isAgentsOrders(page)) {
      hold(look, page, 'an agent wrote it, and its name gives orders to programs')
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
    }
  }
  const present = new Set(all.map(({ id }) => id))
  const gone = [...known.keys()].filter((id) => !present.has(id))
  look.trashed = new Set(await repo.listTrashed(gone))
  return look
}

function hold(look: PagesLook, { id, path }: NotePage, reason: string): void {
  look.held.push({ path, reason })
  look.pages.push({ id, path, side: { is: 'held', reason } })
}

function add(look: PagesLook, { id, path }: NotePage, one: PageLook): void {
  look.looks.set(id, one)
  look.pages.push({ id, path, side: { is: 'text', text: one.text } })
}

function isNote(path: string, rules: IgnoreRules): boolean {
  if (!isNotePath(path) || problemOfPath(path) !== null) return false
  return !isConflictCopy(path.slice(path.lastIndexOf('/') + 1)) && !isIgnored(path, rules)
}

export function isIgnored(path: string, rules: IgnoreRules): boolean {
  if (rules.ignores(path, false)) return true
  for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder))
    if (rules.ignores(folder.slice(0, -1), true)) return true
  return false
}

const isAgentsOrders = ({ path, updated_by }: NotePage) =>
  updated_by.startsWith('agent:') && isOrdersFile(path)

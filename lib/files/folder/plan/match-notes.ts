// Which file is which page. Pages are known by their id; files by their path, or by what proves a move: the same file on
// disk, or a text that only one missing file had and only one new file has. Pure, and the order of its input means nothing.

import { pathKey } from '../../../core/text/paths.ts'
import type { Base, Side } from './decide.ts'

/** A note as both sides last had it. */
export type Entry = {
  id: string
  path: string
  base: Base
  page_id: string | null
  /** Which file it is on its disk, whatever its path. Null: the disk does not say. */
  identity: string | null
}

/** `identity`: as of `Entry`. */
export type FileState = { path: string; side: Side; identity: string | null }

/** `path`: null for a page that has none yet. */
export type PageState = { id: string; path: string | null; side: Side }

/** One note: at least one of the three is there. */
export type Match = { entry: Entry | null; file: FileState | null; page: PageState | null }

/** Files that differ from another one by case or Unicode form alone are left out of `matches`. */
export type Matches = { matches: Match[]; twins: FileState[] }

type Input = {
  entries: readonly Entry[]
  files: readonly FileState[]
  pages: readonly PageState[]
  /** The hash of the empty text, which proves nothing. */
  emptyText: string
}

export function matchNotes({ entries, files, pages, emptyText }: Input): Matches {
  const { distinct, twins } = partTwins(entries, files)
  const byEntry = matchFiles(byPath(entries), byPath(distinct), emptyText)
  const pageOf = matchPages(byPath(entries), byPath(pages))
  const matches = byPath(entries).map((entry) => ({
    entry,
    file: byEntry.get(entry) ?? null,
    page: pageOf.get(entry) ?? null,
  }))
  const [ownFiles, ownPages] = [new Set(byEntry.values()), new Set(pageOf.values())]
  const fresh = pairNew(
    byPath(distinct).filter((file) => !ownFiles.has(file)),
    byPath(pages).filter((page) => !ownPages.has(page)),
  )
  return { matches: [...matches, ...fresh], twins }
}

/** By its id; one that is gone may have been made anew at the same path, as a file may. */
function matchPages(entries: readonly Entry[], pages: readonly PageState[]): Map<Entry, PageState> {
  const byId = new Map(pages.map((page) => [page.id, page]))
  const found = new Map<Entry, PageState>()
  for (const entry of entries) {
    const page = entry.page_id === null ? undefined : byId.get(entry.page_id)
    if (page) found.set(entry, page)
  }
  const owned = new Set(found.values())
  const free = new Map(pages.filter((page) => !owned.has(page)).map((page) => [keyOf(page), page]))
  for (const entry of entries) {
    const page = found.has(entry) ? undefined : free.get(pathKey(entry.path))
    if (page) found.set(entry, page)
  }
  return found
}

const keyOf = ({ id, path }: PageState) => (path === null ? id : pathKey(path))

const byPath = <Item extends { path: string | null }>(items: readonly Item[]): Item[] =>
  items.toSorted((a, b) => (order(a) < order(b) ? -1 : 1))

const order = (item: { path: string | null; id?: string }) => `${item.path ?? ''}\0${item.id ?? ''}`

/** Of files whose paths fold to the same, the one that is known stays, else the first; the others are twins. */
function partTwins(entries: readonly Entry[], files: readonly FileState[]) {
  const known = new Set(entries.map(({ path }) => path))
  const twins: FileState[] = []
  const distinct: FileState[] = []
  for (const alike of Map.groupBy(byPath(files), ({ path }) => pathKey(path)).values()) {
    const kept = alike.find(({ path }) => known.has(path)) ?? alike[0]!
    distinct.push(kept)
    twins.push(...alike.filter((file) => file !== kept))
  }
  return { distinct, twins }
}

function matchFiles(
  entries: readonly Entry[],
  files: readonly FileState[],
  emptyText: string,
): Map<Entry, FileState> {
  const found = new Map<Entry, FileState>()
  const taken = new Set<FileState>()
  const take = (entry: Entry, file: FileState | undefined) => {
    if (!file || found.has(entry) || taken.has(file)) return
    found.set(entry, file)
    taken.add(file)
  }
  const at = new Map(files.map((file) => [file.path, file]))
  const same = (entry: Entry, file: FileState | undefined) =>
    file !== undefined && entry.identity !== null && entry.identity === file.identity

  for (const entry of entries) if (same(entry, at.get(entry.path))) take(entry, at.get(entry.path))
  // Hard links: several files are one on disk, and prove nothing.
  const byIdentity = uniqueBy(files, ({ identity }) => identity)
  const entryOf = uniqueBy(entries, ({ identity }) => identity)
  for (const entry of entries) {
    const moved = entry.identity === null ? undefined : byIdentity.get(entry.identity)
    if (moved && entryOf.get(entry.identity!) === entry && isFree(entry, moved)) take(entry, moved)
  }
  for (const entry of entries) take(entry, at.get(entry.path))
  const lost = uniqueBy(
    entries.filter((entry) => !found.has(entry)),
    ({ base }) => textThatProves(base?.text ?? null, emptyText),
  )
  const fresh = uniqueBy(
    files.filter((file) => !taken.has(file)),
    ({ side }) => textThatProves(side.is === 'text' ? side.text : null, emptyText),
  )
  for (const [text, entry] of lost) take(entry, fresh.get(text))
  return found

  /** A file is not moved while its place holds one that nothing is known of: editors put the old one aside as they save. */
  function isFree(entry: Entry, file: FileState): boolean {
    const here = at.get(entry.path)
    return !taken.has(file) && (!here || (here.identity !== null && entryOf.has(here.identity)))
  }
}

const textThatProves = (text: string | null, emptyText: string) => (text === emptyText ? null : text)

/** The items whose key no other item has. */
function uniqueBy<Item>(items: readonly Item[], keyOf: (item: Item) => string | null): Map<string, Item> {
  const unique = new Map<string, Item>()
  for (const [key, alike] of Map.groupBy(items, keyOf))
    if (key !== null && alike.length === 1) unique.set(key, alike[0]!)
  return unique
}

/** Files and pages that nothing is known of: one of each at the same path is one note. */
function pairNew(files: readonly FileState[], pages: readonly PageState[]): Match[] {
  const left = new Map(pages.map((page) => [keyOf(page), page]))
  const pairs = files.map((file): Match => {
    const key = pathKey(file.path)
    const page = left.get(key) ?? null
    left.delete(key)
    return { entry: null, file, page }
  })
  return [...pairs, ...[...left.values()].map((page): Match => ({ entry: null, file: null, page }))]
}

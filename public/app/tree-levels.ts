// The page tree as far as it is loaded: of each level one part, with the number of its pages. Rows that are not loaded have
// their place among the others.

import { maxTreeLevel } from '../../lib/contract/limits.ts'
import type { PageTree, TreePage } from '../../lib/contract/space/pages.ts'
import { withQuery } from '../ui/words/addresses.ts'
import type { Reader } from './api/api.ts'

export type TreeLevel = {
  /** null: the top. */
  parent_id: string | null
  /** Place of the parent in its own level, as it was seen last; null at the top, and while it is unknown. */
  at: { level: string | null; place: number } | null
  isOpen: boolean
  count: number
  /** The loaded part, and the place of its first page. */
  from: number
  pages: readonly TreePage[]
}

/** Pages of one level that are kept. */
const maxKept = 3 * maxTreeLevel

/** Rows from the end of the loaded part at which the next one is loaded. */
const margin = 100

export async function loadLevels(
  api: Reader,
  spaceId: string,
  query: { open?: string | null; below?: string | null; from?: number; levels?: number },
): Promise<TreeLevel[]> {
  const path = withQuery(`/api/spaces/${spaceId}/page-tree`, query)
  const { items, levels } = await api.get<PageTree>(path)
  const byLevel = Map.groupBy(items, ({ parent_id }) => parent_id)
  const loaded = levels.map((level) => ({
    ...level,
    at: null,
    isOpen: true,
    pages: byLevel.get(level.parent_id) ?? [],
  }))
  return placed(loaded)
}

/** What is loaded of each level, as it is now. */
export async function reloadLevels(
  api: Reader,
  spaceId: string,
  tree: readonly TreeLevel[],
): Promise<TreeLevel[]> {
  const parts = tree.flatMap(({ parent_id, from, pages }) =>
    Array.from({ length: Math.max(1, Math.ceil(pages.length / maxTreeLevel)) }, (_, part) =>
      loadLevels(api, spaceId, { below: parent_id, from: from + part * maxTreeLevel }),
    ),
  )
  return (await Promise.all(parts)).reduce((all, part) => putLevels(all, part), [])
}

/** The tree with levels that were loaded: a part that continues a known one is added to it, another one replaces it. */
export function putLevels(
  tree: readonly TreeLevel[],
  loaded: readonly TreeLevel[],
  { isNewer = false } = {},
): TreeLevel[] {
  const levels = new Map(tree.map((level) => [level.parent_id, level]))
  for (const level of loaded) {
    const known = levels.get(level.parent_id)
    const next = known && !isNewer && known.count === level.count ? joined(known, level) : level
    levels.set(level.parent_id, { ...next, at: known?.at ?? level.at, isOpen: known?.isOpen ?? true })
  }
  // The last page below another one is gone.
  const isThere = ({ parent_id, count }: TreeLevel) => parent_id === null || count > 0
  return placed([...levels.values()].filter(isThere))
}

/** Two parts that overlap or touch are one; of a long one what is nearest to the newer part is kept. */
function joined(known: TreeLevel, next: TreeLevel): TreeLevel {
  const [knownEnd, nextEnd] = [known.from + known.pages.length, next.from + next.pages.length]
  if (next.from > knownEnd || known.from > nextEnd) return next
  const from = Math.min(known.from, next.from)
  const before = known.pages.slice(0, Math.max(0, next.from - known.from))
  const after = known.pages.slice(Math.max(0, nextEnd - known.from))
  const pages = [...before, ...next.pages, ...after]
  const start = Math.max(0, Math.min(next.from - from - maxTreeLevel, pages.length - maxKept))
  return { ...next, from: from + start, pages: pages.slice(start, start + maxKept) }
}

/** Notes the place of each parent that is loaded itself. */
function placed(levels: readonly TreeLevel[]): TreeLevel[] {
  const parents = new Set(levels.map(({ parent_id }) => parent_id))
  const places = new Map<string, { level: string | null; place: number }>()
  for (const { parent_id, from, pages } of levels)
    for (const [index, { id }] of pages.entries())
      if (parents.has(id)) places.set(id, { level: parent_id, place: from + index })
  return levels.map((level) => {
    const at = level.parent_id === null ? null : (places.get(level.parent_id) ?? level.at)
    return at === level.at ? level : { ...level, at }
  })
}

export const setLevelOpen = (tree: readonly TreeLevel[], id: string, isOpen: boolean): TreeLevel[] =>
  tree.map((level) => (level.parent_id === id ? { ...level, isOpen } : level))

/** The page, where it is loaded. */
export function findInTree(tree: readonly TreeLevel[], id: string): TreePage | null {
  for (const { pages } of tree) {
    const page = pages.find((each) => each.id === id)
    if (page) return page
  }
  return null
}

/** The tree with all levels above a page open; null where one of them, or the page, is not loaded. */
export function revealed(tree: readonly TreeLevel[], id: string): readonly TreeLevel[] | null {
  const levels = new Map(tree.map((level) => [level.parent_id, level]))
  const page = findInTree(tree, id)
  if (!page) return null
  const above = new Set<string>()
  for (let parent = page.parent_id; parent !== null && !above.has(parent); ) {
    const level = levels.get(parent)
    if (!level?.at) return null
    above.add(parent)
    parent = level.at.level
  }
  const isShown = [...above].every((parent) => levels.get(parent)!.isOpen)
  if (isShown) return tree
  return tree.map((level) =>
    level.parent_id !== null && above.has(level.parent_id) ? { ...level, isOpen: true } : level,
  )
}

/** A row of the tree; `page` is null while it is not loaded. */
export type TreeRow = {
  /** Stays the same while the tree does. */
  key: string
  page: TreePage | null
  parentId: string | null
  depth: number
  /** Whether what is below it is shown. */
  open: boolean
  /** Among `count` pages of its level, from 0. */
  place: number
  count: number
}

export type TreeRows = {
  count: number
  at(index: number): TreeRow | null
  /** The row of a page that is loaded; -1: it is not, or is within a closed level. */
  indexOf(id: string): number
  /** Which parts of levels are to be loaded where the rows from `first` to before `end` are in sight. */
  missing(first: number, end: number): { below: string | null; from: number }[]
}

/** Rows of one level that follow each other. */
type Stretch = { level: TreeLevel; place: number; length: number; start: number; depth: number }

export function treeRows(tree: readonly TreeLevel[]): TreeRows {
  const children = Map.groupBy(
    tree.filter(({ parent_id, at }) => parent_id !== null && at !== null),
    ({ at }) => at!.level,
  )
  const openBelow = new Set<string>()
  const stretches: Stretch[] = []
  let count = 0
  const top = tree.find(({ parent_id }) => parent_id === null)
  if (top) lay(top, 0)

  return { count, at, indexOf, missing }

  function lay(level: TreeLevel, depth: number): void {
    let place = 0
    const add = (end: number) => {
      const length = Math.min(end, level.count) - place
      if (length <= 0) return
      stretches.push({ level, place, length, start: count, depth })
      count += length
      place += length
    }
    const below = (children.get(level.parent_id) ?? []).filter(({ isOpen }) => isOpen)
    for (const child of below.toSorted((a, b) => a.at!.place - b.at!.place)) {
      if (openBelow.has(child.parent_id!)) continue
      openBelow.add(child.parent_id!)
      add(child.at!.place + 1)
      lay(child, depth + 1)
    }
    add(level.count)
  }

  function stretchAt(index: number): Stretch | null {
    let [low, high] = [0, stretches.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (stretches[middle]!.start <= index) low = middle
      else high = middle - 1
    }
    const stretch = stretches[low]
    return stretch && index >= stretch.start && index < stretch.start + stretch.length ? stretch : null
  }

  function at(index: number): TreeRow | null {
    const stretch = stretchAt(index)
    if (!stretch) return null
    const { level, depth } = stretch
    const place = stretch.place + index - stretch.start
    const page = level.pages[place - level.from] ?? null
    const key = page?.id ?? `${level.parent_id ?? ''}:${place}`
    const open = page !== null && openBelow.has(page.id)
    return { key, page, parentId: level.parent_id, depth, open, place, count: level.count }
  }

  function indexOf(id: string): number {
    for (const { level, place, length, start } of stretches) {
      const index = level.pages.findIndex((page) => page.id === id)
      const at = level.from + index
      if (index !== -1 && at >= place && at < place + length) return start + at - place
    }
    return -1
  }

  function missing(first: number, end: number) {
    const inSight = stretches.filter(({ start, length }) => start < end && start + length > first)
    const parts = new Map<string | null, number>()
    for (const { level, place, length, start } of inSight) {
      const from = place + Math.max(0, first - start)
      const to = place + Math.min(length, end - start)
      const next = nextPart(level, from, to)
      if (next !== null && !parts.has(level.parent_id)) parts.set(level.parent_id, next)
    }
    return [...parts].map(([below, from]) => ({ below, from }))
  }
}

/** From which place on to load a level, of which the pages from `first` to before `end` are in sight; null: it is loaded. */
function nextPart({ count, from, pages }: TreeLevel, first: number, end: number): number | null {
  const loadedEnd = from + pages.length
  const isBefore = from > 0 && first - margin < from
  const isBehind = loadedEnd < count && end + margin > loadedEnd
  if (!isBefore && !isBehind) return null
  const isFar = end <= from || first >= loadedEnd
  if (isFar) return Math.max(0, Math.floor((first + end - maxTreeLevel) / 2))
  return isBehind && (!isBefore || end > loadedEnd) ? loadedEnd : Math.max(0, from - maxTreeLevel)
}

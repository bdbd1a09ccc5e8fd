import type { Page } from '../../../lib/contract/entities.ts'
import type { TreePage } from '../../../lib/contract/space/pages.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { toastFailure } from '../../app/actions/toast-failure.ts'
import { messageOf } from '../../app/api/api.ts'
import type { App } from '../../app/app.ts'
import { changePage, pagePath } from '../data/page-data.ts'

export type TreeRow = { page: TreePage; depth: number; open: boolean }

export type PageLevels = {
  /** What can be seen, in order. */
  rows(): TreeRow[]
  find(id: string): TreePage | null
  /** The pages of a level, in order; `null` while it is not loaded. */
  level(parentId: string | null): TreePage[] | null
  /** The parents whose levels are loaded; `null` is the top. */
  loaded(): (string | null)[]
  setLevel(parentId: string | null, pages: readonly TreePage[]): void
  setOpen(id: string, open: boolean): void
}

/** The pages of a Space by level, as far as they are loaded. What is loaded at first is open. */
export function createPageLevels(items: readonly TreePage[]): PageLevels {
  const levels = new Map<string | null, TreePage[]>([[null, []]])
  for (const page of items) levels.set(page.parent_id, [...(levels.get(page.parent_id) ?? []), page])
  const open = new Set([...levels.keys()].filter((id) => id !== null))

  return {
    rows: () => rowsOf(null, 0),
    level: (parentId) => levels.get(parentId) ?? null,
    loaded: () => [...levels.keys()],
    setLevel: (parentId, pages) => void levels.set(parentId, [...pages]),
    setOpen: (id, isOpen) => void (isOpen ? open.add(id) : open.delete(id)),
    find(id) {
      for (const pages of levels.values()) {
        const match = pages.find((page) => page.id === id)
        if (match) return match
      }
      return null
    },
  }

  function rowsOf(parentId: string | null, depth: number): TreeRow[] {
    return (levels.get(parentId) ?? []).flatMap((page) => {
      const isOpen = page.has_children && open.has(page.id) && levels.has(page.id)
      return [{ page, depth, open: isOpen }, ...(isOpen ? rowsOf(page.id, depth + 1) : [])]
    })
  }
}

const step = 1024

const maxPosition = 900_000

/**
 * The positions to set so that the page at `from` moves to `to` among its siblings: one where there is room between
 * its new neighbours, otherwise all that differ from an even spread.
 */
export function positionsAfter(
  siblings: readonly Pick<TreePage, 'id' | 'position'>[],
  from: number,
  to: number,
): { id: string; position: number }[] {
  const moved = siblings[from]
  if (!moved || from === to || to < 0 || to >= siblings.length) return []
  const order = siblings.toSpliced(from, 1).toSpliced(to, 0, moved)
  const between = middle(order[to - 1]?.position, order[to + 1]?.position)
  const isSorted = order.every(({ position }, index) => {
    const before = order[index - 1]
    return index === to || index - 1 === to || !before || before.position < position
  })
  if (between !== null && isSorted) return [{ id: moved.id, position: between }]
  return order
    .map(({ id }, index) => ({ id, position: index * step }))
    .filter(({ id, position }) => siblings.find((page) => page.id === id)?.position !== position)
}

function middle(before: number | undefined, after: number | undefined): number | null {
  const place =
    before === undefined
      ? (after ?? 0) - step
      : after === undefined
        ? before + step
        : Math.floor((before + after) / 2)
  const fits = (before === undefined || place > before) && (after === undefined || place < after)
  return fits && Math.abs(place) < maxPosition ? place : null
}

/** Siblings that are renumbered at once; each is a write of its own. */
export const maxWrites = 60

/** Moves a page to another position among its siblings. Resolves to whether anything was changed. */
export async function reorder(
  app: App,
  siblings: readonly TreePage[],
  { from, to }: { from: number; to: number },
): Promise<boolean> {
  const writes = positionsAfter(siblings, from, to)
  if (writes.length > maxWrites) {
    app.toast('Too many pages on this level to reorder by hand. They stay sorted by title.')
    return false
  }
  try {
    for (const { id, position } of writes) {
      await changePage(app, await app.api.get<Page>(pagePath(id)), { position })
    }
    if (writes.length > 0)
      app.announce(
        `Moved ${quoteShown(siblings[from]?.title ?? '')} to position ${to + 1} of ${siblings.length}.`,
      )
  } catch (error) {
    app.toast(`Could not finish reordering. ${messageOf(error)}`, { tone: 'problem' })
  }
  return writes.length > 0
}

/** Calls `use` with the whole page, because the tree does not have its version. Failures are shown as toasts. */
export const withPage = (app: App, id: string, use: (page: Page) => Promise<unknown>): Promise<void> =>
  toastFailure(app, app.api.get<Page>(pagePath(id)).then(use))

import type { Page } from '../../../lib/contract/entities.ts'
import type { TreePage } from '../../../lib/contract/space/pages.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { toastFailure } from '../../app/actions/toast-failure.ts'
import { messageOf } from '../../app/api/api.ts'
import type { App } from '../../app/app.ts'
import type { TreeLevel } from '../../app/tree-levels.ts'
import { changePage, pagePath } from '../data/page-data.ts'

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
  const between = positionBetween(order[to - 1]?.position, order[to + 1]?.position)
  const isSorted = order.every(({ position }, index) => {
    const before = order[index - 1]
    return index === to || index - 1 === to || !before || before.position < position
  })
  if (between !== null && isSorted) return [{ id: moved.id, position: between }]
  return order
    .map(({ id }, index) => ({ id, position: index * step }))
    .filter(({ id, position }) => siblings.find((page) => page.id === id)?.position !== position)
}

/** Between two neighbours, or beside the one that there is; null: there is no room. */
export function positionBetween(before: number | undefined, after: number | undefined): number | null {
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

/**
 * Moves a page one place up (`by` -1) or down (1) in its level, as far as that is loaded. Resolves to whether anything was
 * changed.
 */
export async function reorder(
  app: App,
  { pages, from: first, count }: TreeLevel,
  { id, by }: { id: string; by: 1 | -1 },
): Promise<boolean> {
  const from = pages.findIndex((page) => page.id === id)
  const to = from + by
  const writes = pages.length === count ? positionsAfter(pages, from, to) : besideNeighbours(pages, from, by)
  if (writes === null || writes.length > maxWrites) {
    app.toast('Too many pages on this level to reorder by hand. They stay sorted by title.')
    return false
  }
  try {
    for (const { id, position } of writes) {
      await changePage(app, await app.api.get<Page>(pagePath(id)), { position })
    }
    if (writes.length > 0)
      app.announce(`Moved ${quoteShown(pages[from]?.title ?? '')} to position ${first + to + 1} of ${count}.`)
  } catch (error) {
    app.toast(`Could not finish reordering. ${messageOf(error)}`, { tone: 'problem' })
  }
  return writes.length > 0
}

/** On a level that is loaded in part: the position of the page alone; null where its new neighbours leave no room. */
function besideNeighbours(pages: readonly TreePage[], from: number, by: 1 | -1) {
  const [near, far] = [pages[from + by], pages[from + 2 * by]]
  if (!near) return []
  const position =
    by === 1 ? positionBetween(near.position, far?.position) : positionBetween(far?.position, near.position)
  return position === null ? null : [{ id: pages[from]!.id, position }]
}

/** Calls `use` with the whole page, because the tree does not have its version. Failures are shown as toasts. */
export const withPage = (app: App, id: string, use: (page: Page) => Promise<unknown>): Promise<void> =>
  toastFailure(app, app.api.get<Page>(pagePath(id)).then(use))

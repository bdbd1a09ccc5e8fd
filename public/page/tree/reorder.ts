import type { Page } from '../../../lib/contract/entities.ts'
import type { TreePage } from '../../../lib/contract/space/pages.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { messageOf } from '../../app/api/api.ts'
import type { App } from '../../app/app.ts'
import { changePage, pagePath } from '../data/change-page.ts'
import { positionsAfter } from './page-levels.ts'

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

import type { Page, TreePage } from '../../lib/contract/entities.ts'
import { messageOf } from '../api.ts'
import type { App } from '../app.ts'
import { changePage, pagePath } from './change-page.ts'
import { positionsAfter } from './page-levels.ts'

/** Siblings that are renumbered at once; each is a write of its own. */
const mostWrites = 60

/** Puts a page at another place among its siblings. Resolves to whether anything was changed. */
export async function arrange(
  app: App,
  siblings: readonly TreePage[],
  { from, to }: { from: number; to: number },
): Promise<boolean> {
  const writes = positionsAfter(siblings, from, to)
  if (writes.length > mostWrites) {
    app.toast(`There are too many pages here to arrange by hand. They are in the order of their titles.`)
    return false
  }
  try {
    for (const { id, position } of writes) {
      await changePage(app, await app.api.get<Page>(pagePath(id)), { position })
    }
    if (writes.length > 0)
      app.announce(`“${siblings[from]?.title}” is now number ${to + 1} of ${siblings.length}.`)
  } catch (error) {
    app.toast(`The order was not changed as a whole. ${messageOf(error)}`, { tone: 'problem' })
  }
  return writes.length > 0
}

import type { Page, Space } from '../../../lib/contract/entities.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { changeMany } from '../../app/actions/change-many.ts'
import { messageOf } from '../../app/api/api.ts'
import type { App } from '../../app/app.ts'
import { changePage } from '../data/page-data.ts'

/** Asks for a new parent page and moves the page there; Undo moves it back. */
export async function movePage(app: App, space: Space, page: Page, onMoved = () => {}): Promise<void> {
  const { askForParent } = await import('./move-dialog.ts')
  const chosen = await askForParent(app, space, [page])
  if (!chosen || chosen.id === page.parent_id) return
  const back = page.parent_id
  try {
    const moved = await changePage(app, page, { parent_id: chosen.id })
    const run = () => moveBack(app, moved, back, onMoved)
    app.toast(
      `Moved ${quoteShown(page.title)} ${chosen.id ? `below ${quoteShown(chosen.title)}` : 'to the top level'}.`,
      {
        action: { label: 'Undo', run },
      },
    )
    onMoved()
  } catch (error) {
    app.toast(`Could not move ${quoteShown(page.title)}. ${messageOf(error)}`, { tone: 'problem' })
  }
}

/** Asks for a new parent page and moves several pages there; one Undo moves them back. */
export async function movePages(
  app: App,
  space: Space,
  pages: readonly Page[],
  after: () => unknown,
): Promise<void> {
  const { askForParent } = await import('./move-dialog.ts')
  const chosen = await askForParent(app, space, pages)
  const moved = pages.filter(({ parent_id }) => chosen && parent_id !== chosen.id)
  if (!chosen || moved.length === 0) return
  const place = chosen.id ? `below ${quoteShown(chosen.title)}` : 'to the top level'
  await changeMany(app, moved, {
    done: (count) => `Moved ${count === 1 ? '1 page' : `${count} pages`} ${place}.`,
    apply: (page) => changePage(app, page, { parent_id: chosen.id }),
    undo: (page, now) => changePage(app, now, { parent_id: page.parent_id }),
    after,
  })
}

async function moveBack(app: App, page: Page, parentId: string | null, onMoved: () => void): Promise<void> {
  try {
    await changePage(app, page, { parent_id: parentId })
    app.announce(`Moved ${quoteShown(page.title)} back.`)
    onMoved()
  } catch (error) {
    app.toast(`Could not move ${quoteShown(page.title)} back. ${messageOf(error)}`, { tone: 'problem' })
  }
}

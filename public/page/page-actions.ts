import type { Page, Space } from '../../lib/contract/entities.ts'
import { entityHref, spaceHref } from '../addresses.ts'
import { messageOf } from '../api.ts'
import type { App } from '../app.ts'
import { deleteWithUndo } from '../components/delete-with-undo.ts'
import type { MenuItem } from '../components/menu.ts'
import { createPage } from '../frame/tree.ts'
import type { ViewContext } from '../view.ts'
import { changePage, pagePath } from './change-page.ts'
import type { LivePage } from './page-data.ts'

/** What can be done with an open page, besides reading and writing it. */
export function pageActions(app: App, { page, place }: LivePage, { space, url }: ViewContext): MenuItem[] {
  return [
    {
      label: 'New page below',
      icon: 'plus',
      key: 'N',
      run: () => createPage(app, space!, page.id),
    },
    { label: 'Move…', icon: 'folder', key: 'M', run: () => movePage(app, space!, page) },
    {
      label: 'History',
      icon: 'clock',
      key: 'H',
      run: () => app.navigate(`${url.pathname}?history=1`),
    },
    {
      label: 'Why does this say so?',
      icon: 'book',
      key: 'Y',
      run: async () => (await import('../blame/start-blame.ts')).askWhy(app),
    },
    {
      label: 'Put in the trash',
      icon: 'trash',
      danger: true,
      run: () => leaveAndDelete(app, space!, { page, parentId: place.above.at(-1)?.id ?? null }),
    },
  ]
}

/** Asks where a page shall stand and moves it there; Undo moves it back. */
export async function movePage(app: App, space: Space, page: Page, onMoved = () => {}): Promise<void> {
  const { askForParent } = await import('./move-dialog.ts')
  const chosen = await askForParent(app, space, page)
  if (!chosen || chosen.id === page.parent_id) return
  const back = page.parent_id
  try {
    const moved = await changePage(app, page, { parent_id: chosen.id })
    const run = () => moveBack(app, moved, back, onMoved)
    app.toast(`“${page.title}” is now ${chosen.id ? `below “${chosen.title}”` : 'at the top'}.`, {
      action: { label: 'Undo', run },
    })
    onMoved()
  } catch (error) {
    app.toast(`“${page.title}” stays where it is. ${messageOf(error)}`, { tone: 'problem' })
  }
}

async function moveBack(app: App, page: Page, parentId: string | null, onMoved: () => void): Promise<void> {
  try {
    await changePage(app, page, { parent_id: parentId })
    app.announce(`“${page.title}” is back where it was.`)
    onMoved()
  } catch (error) {
    app.toast(`“${page.title}” could not be moved back. ${messageOf(error)}`, { tone: 'problem' })
  }
}

/** Puts a page that the tree shows into the trash, or moves it: the tree does not know its version. */
export async function withPage(app: App, id: string, use: (page: Page) => Promise<unknown>): Promise<void> {
  try {
    await use(await app.api.get<Page>(pagePath(id)))
  } catch (error) {
    app.toast(messageOf(error), { tone: 'problem' })
  }
}

/** Deletes the page that is open and goes up; Undo comes back to it. */
export async function leaveAndDelete(
  app: App,
  { slug }: Space,
  { page, parentId }: { page: Page; parentId: string | null },
): Promise<void> {
  const here = entityHref(slug, 'page', page.id)!
  const deleted = await deleteWithUndo(app, 'page', page, () => app.navigate(here))
  if (!deleted) return
  await app.navigate(parentId ? entityHref(slug, 'page', parentId)! : `${spaceHref(slug)}/pages`)
}

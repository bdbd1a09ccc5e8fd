import type { Page, Space } from '../../../lib/contract/entities.ts'
import { createPage } from '../../app/actions/create-page.ts'
import type { App } from '../../app/app.ts'
import type { ViewContext } from '../../app/view.ts'
import type { MenuItem } from '../../ui/components/menu.ts'
import { entityHref, graphHref, spaceHref } from '../../ui/words/addresses.ts'
import type { LivePage } from '../data/page-data.ts'

/** The actions of a page besides reading and editing. */
export function pageActions(data: LivePage, context: ViewContext): MenuItem[] {
  const { page, place } = data
  const { app, space, url } = context
  return [
    {
      label: 'New child page',
      icon: 'plus',
      key: 'N',
      run: () => createPage(app, space!, page.id),
    },
    {
      label: 'New child from template…',
      icon: 'copy',
      run: async () =>
        (await import('../notes/template-dialog.ts')).newFromTemplate({ app, space: space! }, page.id),
    },
    {
      label: 'Add property…',
      icon: 'list',
      run: async () => (await import('./edit-property.ts')).editProperty(data, null, context),
    },
    {
      label: 'Move…',
      icon: 'folder',
      key: 'M',
      run: async () => (await import('../tree/move-page.ts')).movePage(app, space!, page),
    },
    {
      label: 'History',
      icon: 'clock',
      key: 'H',
      run: () => app.navigate(`${url.pathname}?history=1`),
    },
    {
      label: 'Graph around this page',
      icon: 'graph',
      run: () => app.navigate(graphHref(space!.slug, page.id)),
    },
    {
      label: 'Toggle Markdown source',
      icon: 'edit',
      run: () => data.toggleSource?.(),
    },
    {
      label: 'Where this came from',
      icon: 'book',
      key: 'Y',
      run: async () => (await import('../blame/show-blame.ts')).lookUpText(app),
    },
    {
      label: 'Move to trash',
      icon: 'trash',
      danger: true,
      run: () => leaveAndDelete(app, space!, { page, parentId: place.above.at(-1)?.id ?? null }),
    },
  ]
}

/** Deletes the open page and opens its parent; Undo opens it again. */
async function leaveAndDelete(
  app: App,
  { slug }: Space,
  { page, parentId }: { page: Page; parentId: string | null },
): Promise<void> {
  const here = entityHref(slug, 'page', page.id)!
  const { deleteWithUndo } = await import('../../app/actions/delete-with-undo.ts')
  const deleted = await deleteWithUndo(app, 'page', page, () => app.navigate(here))
  if (!deleted) return
  await app.navigate(parentId ? entityHref(slug, 'page', parentId)! : `${spaceHref(slug)}/pages`)
}

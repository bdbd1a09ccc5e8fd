import type { Page } from '../../../lib/contract/entities.ts'
import { deleteMany } from '../../app/actions/change-many.ts'
import { type ManyAction, mountSelection, type Selection } from '../../app/actions/select-rows.ts'
import { toastFailure } from '../../app/actions/toast-failure.ts'
import type { ViewContext } from '../../app/view.ts'
import { pagePath } from '../data/page-data.ts'

/** Pages of a list are selected together; `after` runs when they have changed. */
export const selectPages = (
  list: HTMLElement,
  row: string,
  context: ViewContext,
  after: () => unknown,
  allIds?: () => string[],
): Selection =>
  mountSelection({
    list,
    row,
    titleOf: (each) => each.querySelector('a')?.textContent ?? '',
    cell: (each) => each.querySelector<HTMLElement>('th') ?? each,
    actions: manyPages(context, after),
    context,
    ...(allIds && { allIds }),
  })

function manyPages({ app, space }: ViewContext, after: () => unknown): ManyAction[] {
  /** Lists of pages do not have the versions. */
  const withPages = (ids: readonly string[], use: (pages: Page[]) => Promise<void>) =>
    toastFailure(app, Promise.all(ids.map((id) => app.api.get<Page>(pagePath(id)))).then(use))
  return [
    {
      label: 'Move…',
      icon: 'folder',
      key: 'm',
      run: (ids) =>
        withPages(ids, async (pages) => {
          const { movePages } = await import('./move-page.ts')
          await movePages(app, space!, pages, after)
        }),
    },
    {
      label: 'Move to trash',
      icon: 'trash',
      key: 'Delete',
      run: (ids) => withPages(ids, (pages) => deleteMany(app, 'page', pages, after)),
    },
  ]
}

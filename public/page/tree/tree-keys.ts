import type { TreePage } from '../../../lib/contract/space/pages.ts'
import type { ViewContext } from '../../app/view.ts'
import { entityHref } from '../../ui/words/addresses.ts'
import type { TreeRow } from './page-levels.ts'
import type { RowFocus } from './row-focus.ts'

export type TreeActions = {
  toggle(row: TreeRow): void
  move(page: TreePage): void
  shift(page: TreePage, by: number): void
  remove(page: TreePage): void
  /** Starts a new page below another one. */
  create(parent: TreePage | null): void
  find(): void
}

export function addTreeKeys(
  list: HTMLElement,
  { focused, focusRow, step }: RowFocus,
  actions: TreeActions,
  { app, space, signal }: ViewContext,
): void {
  const onRow = (run: (row: TreeRow) => void) => () => {
    const row = focused()
    if (row) run(row)
  }
  const expand = (row: TreeRow) => {
    if (!row.page.has_children) return
    if (row.open) step(1)
    else actions.toggle(row)
  }
  const collapse = (row: TreeRow) => (row.open ? actions.toggle(row) : focusRow(row.page.parent_id))
  const open = ({ page }: TreeRow) => app.navigate(entityHref(space!.slug, 'page', page.id)!)
  const inTree = [
    { key: 'ArrowDown', label: 'Next page', run: () => step(1) },
    { key: 'ArrowUp', label: 'Previous page', run: () => step(-1) },
    { key: 'ArrowRight', label: 'Expand', run: onRow(expand) },
    { key: 'ArrowLeft', label: 'Collapse, or go to parent', run: onRow(collapse) },
    { key: 'Home', label: 'First page', run: () => step(-Infinity) },
    { key: 'End', label: 'Last page', run: () => step(Infinity) },
    { key: 'Enter', label: 'Open page', run: onRow(open) },
    { key: 'm', label: 'Move', run: onRow(({ page }) => actions.move(page)) },
    { key: 'Alt+ArrowUp', label: 'Move up', run: onRow(({ page }) => actions.shift(page, -1)) },
    { key: 'Alt+ArrowDown', label: 'Move down', run: onRow(({ page }) => actions.shift(page, 1)) },
    { key: 'Delete', label: 'Move to trash', run: onRow(({ page }) => actions.remove(page)) },
  ]
  const anywhere = [
    { key: 'n', label: 'New page below the focused one', run: () => actions.create(focused()?.page ?? null) },
    { key: '/', label: 'Find by title', run: actions.find },
  ]
  app.keys.add(
    [...anywhere, ...inTree.map((binding) => ({ ...binding, within: list }))].map((binding) => ({
      ...binding,
      group: 'Pages',
    })),
    signal,
  )
}

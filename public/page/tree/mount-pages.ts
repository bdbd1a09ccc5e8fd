// The tree of all pages: expanded and collapsed, navigated by keys, added to and reordered.

import type { TreePage } from '../../../lib/contract/space/pages.ts'
import { deleteWithUndo } from '../../app/actions/delete-with-undo.ts'
import { isFavourite, toggleFavourite } from '../../app/actions/favourites.ts'
import type { Selection } from '../../app/actions/select-rows.ts'
import { messageOf } from '../../app/api/api.ts'
import type { ViewContext } from '../../app/view.ts'
import type { MenuItem } from '../../ui/components/menu.ts'
import { rerender } from '../../ui/rerender.ts'
import { movePage } from './move-page.ts'
import { mountPageFilter } from './page-filter.ts'
import { createPageLevels, type TreeRow } from './page-levels.ts'
import { mountQuickPage } from './quick-page.ts'
import { reorder } from './reorder.ts'
import { createRowFocus } from './row-focus.ts'
import { selectPages } from './select-pages.ts'
import { addTreeKeys } from './tree-keys.ts'
import { createTreeLoader } from './tree-loader.ts'
import { renderTreeRows } from './tree-rows.ts'
import { withPage } from './with-page.ts'

export function mountPages(root: HTMLElement, items: readonly TreePage[], context: ViewContext): void {
  const { app, signal } = context
  const space = context.space!
  const levels = createPageLevels(items)
  const list = root.querySelector<HTMLElement>('#page-rows')!
  const empty = root.querySelector<HTMLElement>('#no-pages')!
  const loader = createTreeLoader(levels, draw, context)
  const focus = createRowFocus(list, levels, signal)
  const quick = mountQuickPage(root, { context, onCreated })
  const filter = mountPageFilter(root, { context, onChange: draw })
  const move = (page: TreePage) =>
    withPage(app, page.id, (whole) => movePage(app, space, whole, loader.reload))
  list.addEventListener('contextmenu', openMenu, { signal })
  let selection: Selection | null = null
  const actions = { toggle, move, shift, remove, create: quick.start, find: filter.focus }
  addTreeKeys(list, focus, actions, context)
  draw()
  selection = selectPages(list, '.page-row', context, loader.reload)

  function draw(): void {
    const rows = renderTreeRows(levels, {
      space,
      current: focus.current(),
      actions: menuOf,
      onToggle: toggle,
    })
    list.hidden = filter.isOn()
    rerender(list, rows)
    selection?.draw()
    empty.hidden = rows.length > 0 || filter.isOn()
  }

  function menuOf({ page }: TreeRow): MenuItem[] {
    return [
      { label: 'New child page', icon: 'plus', key: 'N', run: () => quick.start(page) },
      { label: 'Move…', icon: 'folder', key: 'M', run: () => move(page) },
      { label: 'Move up', icon: 'arrowUp', key: 'Alt ↑', run: () => shift(page, -1) },
      { label: 'Move down', icon: 'arrowDown', key: 'Alt ↓', run: () => shift(page, 1) },
      {
        label: isFavourite(app, page.id) ? 'Remove from favourites' : 'Add to favourites',
        icon: 'star',
        run: () => toggleFavourite(app, space, page).then(draw),
      },
      { label: 'Move to trash', icon: 'trash', key: 'Del', danger: true, run: () => remove(page) },
    ]
  }

  async function toggle({ page, open }: TreeRow): Promise<void> {
    try {
      if (!open) await loader.load(page.id)
    } catch (error) {
      app.toast(messageOf(error), { tone: 'problem' })
      return
    }
    levels.setOpen(page.id, !open)
    draw()
    focus.focusRow(page.id)
  }

  async function onCreated(parent: TreePage | null): Promise<void> {
    if (parent) levels.setOpen(parent.id, true)
    if (parent && !levels.level(parent.id)) levels.setLevel(parent.id, [])
    await loader.reload()
  }

  async function shift(page: TreePage, by: number): Promise<void> {
    const siblings = levels.level(page.parent_id) ?? []
    const from = siblings.findIndex(({ id }) => id === page.id)
    if (await reorder(app, siblings, { from, to: from + by })) await loader.reload()
    focus.focusRow(page.id)
  }

  function remove(page: TreePage): Promise<void> {
    const next = focus.neighbour(page.id)
    return withPage(app, page.id, async (whole) => {
      if (!(await deleteWithUndo(app, 'page', whole, loader.reload))) return
      await loader.reload()
      focus.focusRow(next)
    })
  }
}

function openMenu(event: Event): void {
  const row = event.target instanceof Element ? event.target.closest<HTMLElement>('.page-row') : null
  if (!row || event.target instanceof HTMLAnchorElement) return
  event.preventDefault()
  row.querySelector<HTMLElement>('.menu')?.showPopover()
}

// The tree of all pages: expanded and collapsed, navigated by keys, added to and reordered.

import type { TreePage } from '../../../lib/contract/space/pages.ts'
import { deleteWithUndo } from '../../app/actions/delete-with-undo.ts'
import { isFavourite, toggleFavourite } from '../../app/actions/favourites.ts'
import type { Selection } from '../../app/actions/select-rows.ts'
import { messageOf } from '../../app/api/api.ts'
import type { ViewContext } from '../../app/view.ts'
import type { MenuItem } from '../../ui/components/menu.ts'
import { rerender } from '../../ui/rerender.ts'
import { entityHref } from '../../ui/words/addresses.ts'
import { movePage } from './move-page.ts'
import { mountPageFilter } from './page-filter.ts'
import { createPageLevels, type PageLevels, reorder, type TreeRow, withPage } from './page-levels.ts'
import { mountQuickPage } from './quick-page.ts'
import { selectPages } from './select-pages.ts'
import { createRowFocus, type RowFocus, renderTreeRows } from './tree-rows.ts'

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

type TreeActions = {
  toggle(row: TreeRow): void
  move(page: TreePage): void
  shift(page: TreePage, by: number): void
  remove(page: TreePage): void
  /** Starts a new page below another one. */
  create(parent: TreePage | null): void
  find(): void
}

function addTreeKeys(
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

/** Live events within this time are one reload. */
const flushDelayMs = 150

/** Loads levels of the tree, and reloads the loaded ones when pages change elsewhere. `onReload` draws them. */
function createTreeLoader(levels: PageLevels, onReload: () => void, { app, space, signal }: ViewContext) {
  let gathering = false
  app.live.on((event) => {
    const missed = event.type === 'hello' && !event.data.resumed
    const isPage = event.type === 'entity' && event.data.kind === 'page' && event.data.space_id === space!.id
    if (missed || isPage) gather()
  }, signal)

  return {
    reload,
    /** Loads the level below a page, once. */
    async load(parentId: string): Promise<void> {
      if (!levels.level(parentId)) levels.setLevel(parentId, await readLevel(parentId))
    },
  }

  async function reload(): Promise<void> {
    await Promise.all(
      levels.loaded().map(async (parentId) => {
        levels.setLevel(parentId, await readLevel(parentId))
      }),
    )
    if (!signal.aborted) onReload()
  }

  async function readLevel(parentId: string | null): Promise<TreePage[]> {
    const query = parentId ? `?below=${parentId}` : ''
    const path = `/api/spaces/${space!.id}/page-tree${query}`
    return (await app.api.get<{ items: TreePage[] }>(path)).items
  }

  function gather(): void {
    if (gathering) return
    gathering = true
    setTimeout(() => {
      gathering = false
      reload().catch(() => {})
    }, flushDelayMs)
  }
}

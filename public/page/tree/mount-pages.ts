// The tree of all pages: expanded and collapsed, navigated by keys, added to and reordered.

import type { TreePage } from '../../../lib/contract/space/pages.ts'
import { deleteWithUndo } from '../../app/actions/delete-with-undo.ts'
import { isFavourite, toggleFavourite } from '../../app/actions/favourites.ts'
import type { Selection } from '../../app/actions/select-rows.ts'
import { gathered } from '../../app/api/live.ts'
import {
  loadLevels,
  putLevels,
  reloadLevels,
  setLevelOpen,
  type TreeLevel,
  type TreeRow,
  type TreeRows,
} from '../../app/tree-levels.ts'
import { createTreeView, type TreeView } from '../../app/tree-view.ts'
import type { ViewContext } from '../../app/view.ts'
import type { MenuItem } from '../../ui/components/menu.ts'
import { entityHref } from '../../ui/words/addresses.ts'
import { movePage } from './move-page.ts'
import { mountPageFilter } from './page-filter.ts'
import { reorder, withPage } from './positions.ts'
import { mountQuickPage } from './quick-page.ts'
import { selectPages } from './select-pages.ts'
import { renderTreeRow } from './tree-rows.ts'

export function mountPages(root: HTMLElement, levels: readonly TreeLevel[], context: ViewContext): void {
  const { app, signal } = context
  const space = context.space!
  let tree = levels
  const list = root.querySelector<HTMLElement>('#page-rows')!
  const empty = root.querySelector<HTMLElement>('#no-pages')!
  let selection: Selection | null = null
  const view = createTreeView({
    app,
    space,
    signal,
    list,
    tree: { get: () => tree, set: setTree },
    render: (row, index) =>
      renderTreeRow(row, { index, space, actions: menuOf, onToggle: (each) => void toggle(each) }),
    onDrawn: () => selection?.draw(),
  })
  const reload = followTree(() => tree, setTree, context)
  const quick = mountQuickPage(root, { context, onCreated })
  const filter = mountPageFilter(root, { context, onChange: showOrHide })
  const move = (page: TreePage) => withPage(app, page.id, (whole) => movePage(app, space, whole, reload))
  list.addEventListener('contextmenu', openMenu, { signal })
  addTreeKeys(list, view, { move, shift, remove, create: quick.start, find: filter.focus }, context)
  showOrHide()
  view.draw()
  selection = selectPages(list, '.page-row', context, reload, () => loadedIds(view.rows()))

  function setTree(next: readonly TreeLevel[]): void {
    tree = next
    view.draw()
    showOrHide()
  }

  function showOrHide(): void {
    list.hidden = filter.isOn()
    empty.hidden = view.rows().count > 0 || filter.isOn()
  }

  function menuOf(page: TreePage): MenuItem[] {
    return [
      { label: 'New child page', icon: 'plus', key: 'N', run: () => quick.start(page) },
      { label: 'Move…', icon: 'folder', key: 'M', run: () => move(page) },
      { label: 'Move up', icon: 'arrowUp', key: 'Alt ↑', run: () => shift(page, -1) },
      { label: 'Move down', icon: 'arrowDown', key: 'Alt ↓', run: () => shift(page, 1) },
      {
        label: isFavourite(app, page.id) ? 'Remove from favourites' : 'Add to favourites',
        icon: 'star',
        run: () => toggleFavourite(app, space, page).then(view.draw),
      },
      { label: 'Move to trash', icon: 'trash', key: 'Del', danger: true, run: () => remove(page) },
    ]
  }

  async function toggle(row: TreeRow): Promise<void> {
    await view.toggle(row)
    view.focusPage(row.page?.id ?? null)
  }

  async function onCreated(parent: TreePage | null): Promise<void> {
    const below = parent && (await loadLevels(app.api, space.id, { below: parent.id, from: 0 }))
    if (below) tree = setLevelOpen(putLevels(tree, below), parent.id, true)
    await reload()
  }

  async function shift(page: TreePage, by: 1 | -1): Promise<void> {
    const level = tree.find(({ parent_id }) => parent_id === page.parent_id)
    if (level && (await reorder(app, level, { id: page.id, by }))) await reload()
    view.focusPage(page.id)
  }

  function remove(page: TreePage): Promise<void> {
    const at = view.rows().indexOf(page.id)
    return withPage(app, page.id, async (whole) => {
      if (!(await deleteWithUndo(app, 'page', whole, reload))) return
      await reload()
      view.focusRow(at)
    })
  }
}

/** The pages of the rows, in their order, as far as they are loaded. */
const loadedIds = (rows: TreeRows): string[] =>
  Array.from({ length: rows.count }, (_, index) => rows.at(index)?.page?.id ?? '').filter(Boolean)

function openMenu(event: Event): void {
  const row = event.target instanceof Element ? event.target.closest<HTMLElement>('.page-row') : null
  if (!row || event.target instanceof HTMLAnchorElement) return
  event.preventDefault()
  row.querySelector<HTMLElement>('.menu')?.showPopover()
}

type TreeActions = {
  move(page: TreePage): void
  shift(page: TreePage, by: 1 | -1): void
  remove(page: TreePage): void
  /** Starts a new page below another one. */
  create(parent: TreePage | null): void
  find(): void
}

function addTreeKeys(
  list: HTMLElement,
  view: TreeView,
  actions: TreeActions,
  { app, space, signal }: ViewContext,
): void {
  const page = () => view.focused().row?.page ?? null
  const onPage = (run: (page: TreePage) => void) => () => {
    const focused = page()
    if (focused) run(focused)
  }
  const open = ({ id }: TreePage) => app.navigate(entityHref(space!.slug, 'page', id)!)
  const inTree = [
    ...view.keys,
    { key: 'Enter', label: 'Open page', run: onPage(open) },
    { key: 'm', label: 'Move', run: onPage(actions.move) },
    { key: 'Alt+ArrowUp', label: 'Move up', run: onPage((each) => actions.shift(each, -1)) },
    { key: 'Alt+ArrowDown', label: 'Move down', run: onPage((each) => actions.shift(each, 1)) },
    { key: 'Delete', label: 'Move to trash', run: onPage(actions.remove) },
  ]
  const anywhere = [
    { key: 'n', label: 'New page below the focused one', run: () => actions.create(page()) },
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

/** Reloads what is loaded when pages change elsewhere. Returns what does it at once. */
function followTree(
  get: () => readonly TreeLevel[],
  set: (tree: TreeLevel[]) => void,
  { app, space, signal }: ViewContext,
): () => Promise<void> {
  const reload = async () => {
    const levels = await reloadLevels(app.api, space!.id, get())
    if (!signal.aborted) set(putLevels(get(), levels, { isNewer: true }))
  }
  const reloadSoon = gathered(reload)
  app.live.on((event) => {
    const missed = event.type === 'hello' && !event.data.resumed
    const isPage = event.type === 'entity' && event.data.kind === 'page' && event.data.space_id === space!.id
    if (missed || isPage) reloadSoon()
  }, signal)
  return reload
}

// The tree of all pages, alive: opened and closed, walked by keys, added to and arranged.

import type { TreePage } from '../../lib/contract/entities.ts'
import { entityHref } from '../addresses.ts'
import { messageOf } from '../api.ts'
import { deleteWithUndo } from '../components/delete-with-undo.ts'
import type { MenuItem } from '../components/menu.ts'
import { rerender } from '../rerender.ts'
import type { ViewContext } from '../view.ts'
import { arrange } from './arrange.ts'
import { movePage, withPage } from './page-actions.ts'
import { mountPageFilter } from './page-filter.ts'
import { createPageLevels, type TreeRow } from './page-levels.ts'
import { mountQuickPage } from './quick-page.ts'
import { renderTreeRows } from './tree-rows.ts'

export function mountPages(root: HTMLElement, items: readonly TreePage[], context: ViewContext): void {
  const { app, signal } = context
  const space = context.space!
  const levels = createPageLevels(items)
  const list = root.querySelector<HTMLElement>('#page-rows')!
  const empty = root.querySelector<HTMLElement>('#no-pages')!
  let current: string | null = null

  const quick = mountQuickPage(root, { context, onCreated })
  const filter = mountPageFilter(root, { context, onChange: draw })
  list.addEventListener('focusin', (event) => noteCurrent(event.target), { signal })
  list.addEventListener('contextmenu', openMenu, { signal })
  app.live.on((event) => {
    const missed = event.type === 'hello' && !event.data.resumed
    const concerns = event.type === 'entity' && event.data.kind === 'page' && event.data.space_id === space.id
    if (missed || concerns) gather()
  }, signal)
  addKeys()
  draw()

  function draw(): void {
    const rows = renderTreeRows(levels, { space, current, actions, onToggle: toggle })
    list.hidden = filter.isOn()
    rerender(list, rows)
    empty.hidden = rows.length > 0 || filter.isOn()
  }

  function actions(row: TreeRow): MenuItem[] {
    const { page } = row
    return [
      { label: 'New page below', icon: 'plus', key: 'N', run: () => quick.start(page) },
      { label: 'Move…', icon: 'folder', key: 'M', run: () => move(page) },
      { label: 'Up', icon: 'arrowUp', key: 'Alt ↑', run: () => shift(page, -1) },
      { label: 'Down', icon: 'arrowDown', key: 'Alt ↓', run: () => shift(page, 1) },
      { label: 'Put in the trash', icon: 'trash', key: 'Del', danger: true, run: () => remove(page) },
    ]
  }

  async function toggle(row: TreeRow, open = !row.open): Promise<void> {
    const { page } = row
    if (open && !levels.level(page.id)) {
      try {
        levels.setLevel(page.id, await readLevel(page.id))
      } catch (error) {
        app.toast(messageOf(error), { tone: 'problem' })
        return
      }
    }
    levels.setOpen(page.id, open)
    draw()
    focusRow(page.id)
  }

  async function readLevel(parentId: string | null): Promise<TreePage[]> {
    const query = parentId ? `?below=${parentId}` : ''
    const path = `/api/spaces/${space.id}/page-tree${query}`
    return (await app.api.get<{ items: TreePage[] }>(path)).items
  }

  let waiting = false
  function gather(): void {
    if (waiting) return
    waiting = true
    setTimeout(() => {
      waiting = false
      reload().catch(() => {})
    }, 150)
  }

  /** Reads what is loaded anew, and keeps what is open. */
  async function reload(): Promise<void> {
    await Promise.all(
      levels.loaded().map(async (parentId) => {
        levels.setLevel(parentId, await readLevel(parentId))
      }),
    )
    if (!signal.aborted) draw()
  }

  async function onCreated(parent: TreePage | null): Promise<void> {
    if (parent) levels.setOpen(parent.id, true)
    if (parent && !levels.level(parent.id)) levels.setLevel(parent.id, [])
    await reload()
  }

  const move = (page: TreePage) => withPage(app, page.id, (whole) => movePage(app, space, whole, reload))

  async function shift(page: TreePage, by: number): Promise<void> {
    const siblings = levels.level(page.parent_id) ?? []
    const from = siblings.findIndex(({ id }) => id === page.id)
    if (await arrange(app, siblings, { from, to: from + by })) await reload()
    focusRow(page.id)
  }

  function remove(page: TreePage): Promise<void> {
    const rows = levels.rows()
    const at = rows.findIndex((row) => row.page.id === page.id)
    const next = rows[at + 1] ?? rows[at - 1]
    return withPage(app, page.id, async (whole) => {
      if (!(await deleteWithUndo(app, 'page', whole, reload))) return
      await reload()
      focusRow(next?.page.id ?? null)
    })
  }

  function focusRow(id: string | null): void {
    const row = id ? list.querySelector<HTMLElement>(`#row-${id}`) : null
    row?.focus()
  }

  function noteCurrent(target: EventTarget | null): void {
    const row = target instanceof Element ? target.closest<HTMLElement>('.page-row') : null
    if (!row?.dataset.id || row.dataset.id === current) return
    list.querySelector('[tabindex="0"]')?.setAttribute('tabindex', '-1')
    row.tabIndex = 0
    current = row.dataset.id
  }

  function openMenu(event: Event): void {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('.page-row') : null
    if (!row || event.target instanceof HTMLAnchorElement) return
    event.preventDefault()
    row.querySelector<HTMLElement>('.menu')?.showPopover()
  }

  function focused(): TreeRow | null {
    const id = document.activeElement?.closest<HTMLElement>('.page-row')?.dataset.id
    return levels.rows().find(({ page }) => page.id === id) ?? null
  }

  function step(by: number): void {
    const rows = levels.rows()
    const at = rows.findIndex(({ page }) => page.id === (focused()?.page.id ?? current))
    focusRow(rows[Math.max(0, Math.min(rows.length - 1, at + by))]?.page.id ?? null)
  }

  function right(row: TreeRow): void {
    if (!row.page.has_children) return
    if (row.open) step(1)
    else toggle(row, true)
  }

  function left(row: TreeRow): void {
    if (row.open) toggle(row, false)
    else focusRow(row.page.parent_id)
  }

  function addKeys(): void {
    const withRow = (run: (row: TreeRow) => void) => () => {
      const row = focused()
      if (row) run(row)
    }
    const inTree = [
      { key: 'ArrowDown', label: 'Next page', run: () => step(1) },
      { key: 'ArrowUp', label: 'Page before', run: () => step(-1) },
      { key: 'ArrowRight', label: 'Open what is below', run: withRow(right) },
      { key: 'ArrowLeft', label: 'Close, or go up', run: withRow(left) },
      { key: 'Home', label: 'First page', run: () => step(-Infinity) },
      { key: 'End', label: 'Last page', run: () => step(Infinity) },
      {
        key: 'Enter',
        label: 'Read the page',
        run: withRow(({ page }) => app.navigate(entityHref(space.slug, 'page', page.id)!)),
      },
      { key: 'm', label: 'Move', run: withRow(({ page }) => move(page)) },
      {
        key: 'Alt+ArrowUp',
        label: 'Move up among its neighbours',
        run: withRow(({ page }) => shift(page, -1)),
      },
      { key: 'Alt+ArrowDown', label: 'Move down', run: withRow(({ page }) => shift(page, 1)) },
      { key: 'Delete', label: 'Put in the trash', run: withRow(({ page }) => remove(page)) },
    ]
    const anywhere = [
      {
        key: 'n',
        label: 'New page, below the one in focus',
        run: () => quick.start(focused()?.page ?? null),
      },
      { key: '/', label: 'Find by title', run: () => filter.focus() },
    ]
    app.keys.add(
      [...anywhere, ...inTree.map((binding) => ({ ...binding, within: list }))].map((binding) => ({
        ...binding,
        group: 'Pages',
      })),
      signal,
    )
  }
}

// A tree of pages that is scrolled and walked: loads the parts of levels that come into sight, has one stop in the tab order,
// and keeps the focus. The sidebar and the list of all pages draw their own rows.

import type { Space } from '../../lib/contract/entities.ts'
import { createVirtualRows } from '../ui/virtual-rows.ts'
import { messageOf } from './api/api.ts'
import type { App } from './app.ts'
import type { KeyBinding } from './keys.ts'
import {
  loadLevels,
  putLevels,
  setLevelOpen,
  type TreeLevel,
  type TreeRow,
  type TreeRows,
  treeRows,
} from './tree-levels.ts'

export type TreeView = {
  rows(): TreeRows
  /** Draws the tree as it is now. */
  draw(): void
  /** Brings a page that is loaded into sight. */
  show(id: string): void
  /** The row of the page that was focused last, or is to be first. */
  stop(): string | null
  setStop(id: string): void
  focused(): { index: number; row: TreeRow | null }
  /** Also of a row that is not loaded yet, once it is. */
  focusRow(index: number): void
  focusPage(id: string | null): void
  toggle(row: TreeRow): Promise<void>
  keys: Pick<KeyBinding, 'key' | 'label' | 'run'>[]
}

type Options = {
  app: App
  space: Space
  signal: AbortSignal
  list: HTMLElement
  /** Of a new tree, the owner calls `draw`. */
  tree: { get(): readonly TreeLevel[]; set(tree: TreeLevel[]): void }
  /** With `data-row`, and `data-page` where it is loaded; within it, or it itself, what takes the focus has `data-stop`. */
  render: (row: TreeRow, index: number) => HTMLElement
  /** After rows have come into the document. */
  onDrawn?: () => void
}

export function createTreeView({ app, space, signal, list, tree, render, onDrawn }: Options): TreeView {
  let rows = treeRows(tree.get())
  let stop: string | null = null
  /** The row that gets the focus once it is loaded. */
  let wanted: number | null = null
  const loading = new Set<string | null>()
  const view = createVirtualRows({
    list,
    count: () => rows.count,
    keyOf: (index) => rows.at(index)!.key,
    indexOf: (key) => rows.indexOf(key),
    render: (index) => render(rows.at(index)!, index),
    onSight(first, end) {
      markStop()
      onDrawn?.()
      for (const part of rows.missing(first, end)) void load(part)
    },
    signal,
  })
  list.addEventListener(
    'focusin',
    ({ target }) => {
      stop = pageAt(target) ?? stop
      wanted = null
      markStop()
    },
    { signal },
  )
  const step = (by: number) => () => focusRow((wanted ?? focused().index) + by)

  return {
    rows: () => rows,
    draw,
    show(id) {
      const index = rows.indexOf(id)
      if (index !== -1) view.show(index)
    },
    stop: () => stop,
    setStop(id) {
      stop = id
    },
    focused,
    focusRow,
    focusPage(id) {
      const index = id === null ? -1 : rows.indexOf(id)
      if (index !== -1) focusRow(index)
    },
    toggle,
    keys: [
      { key: 'ArrowDown', label: 'Next page', run: step(1) },
      { key: 'ArrowUp', label: 'Previous page', run: step(-1) },
      { key: 'ArrowRight', label: 'Expand', run: goIn },
      { key: 'ArrowLeft', label: 'Collapse, or go to parent', run: goOut },
      { key: 'PageDown', label: 'Ten pages down', run: step(10) },
      { key: 'PageUp', label: 'Ten pages up', run: step(-10) },
      { key: 'Home', label: 'First page', run: step(-Infinity) },
      { key: 'End', label: 'Last page', run: step(Infinity) },
    ],
  }

  function draw(): void {
    rows = treeRows(tree.get())
    const to = wanted
    view.draw()
    if (to !== null && rows.at(to)?.page) focusRow(to)
    else wanted = to
  }

  /** One part of a level at a time; what is drawn then asks for the next. */
  async function load(part: { below: string | null; from: number }): Promise<void> {
    if (loading.has(part.below)) return
    loading.add(part.below)
    try {
      const levels = await loadLevels(app.api, space.id, part)
      const { from = 0, pages = [] } = levels[0] ?? {}
      // What was not there is asked for again by the next scroll, not by what is drawn now.
      if (part.from >= from && part.from < from + pages.length) loading.delete(part.below)
      if (!signal.aborted) tree.set(putLevels(tree.get(), levels))
    } catch (error) {
      if (!signal.aborted) app.toast(messageOf(error), { tone: 'problem' })
    } finally {
      loading.delete(part.below)
    }
  }

  async function toggle({ page, open }: TreeRow): Promise<void> {
    if (!page) return
    const isLoaded = tree.get().some(({ parent_id }) => parent_id === page.id)
    if (open || isLoaded) tree.set(setLevelOpen(tree.get(), page.id, !open))
    else await load({ below: page.id, from: 0 })
  }

  function goIn(): void {
    const { index, row } = focused()
    if (row?.open) focusRow(index + 1)
    else if (row?.page?.has_children) void toggle(row)
  }

  function goOut(): void {
    const { row } = focused()
    if (row?.open) void toggle(row)
    else if (row?.parentId) focusRow(rows.indexOf(row.parentId))
  }

  function focused() {
    const row =
      list.contains(document.activeElement) && document.activeElement?.closest<HTMLElement>('[data-page]')
    if (!row) return { index: -1, row: null }
    const index = rows.indexOf(row.dataset.page!)
    // Scrolled away from so far that it is not loaded any more.
    return index === -1 ? { index: Number(row.dataset.row), row: null } : { index, row: rows.at(index) }
  }

  function focusRow(index: number): void {
    if (rows.count === 0) return
    const to = Math.max(0, Math.min(rows.count - 1, index))
    view.show(to)
    const node = list.querySelector<HTMLElement>(`[data-row="${to}"][data-page]`)
    if (node) stopIn(node)?.focus({ preventScroll: true })
    else wanted = to
  }

  /** A row that is not there cannot be reached: then the first one is in the tab order. */
  function markStop(): void {
    const stops = [...list.querySelectorAll<HTMLElement>('[data-stop]')]
    const chosen = stops.find((each) => pageAt(each) === stop) ?? stops[0]
    for (const each of stops) each.tabIndex = each === chosen ? 0 : -1
  }
}

const pageAt = (node: EventTarget | null): string | null =>
  (node instanceof Element && node.closest<HTMLElement>('[data-page]')?.dataset.page) || null

const stopIn = (row: HTMLElement): HTMLElement | null =>
  row.matches('[data-stop]') ? row : row.querySelector<HTMLElement>('[data-stop]')

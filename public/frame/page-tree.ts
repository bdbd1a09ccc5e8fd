import { inBrowser } from '#platform'
import type { Space } from '../../lib/contract/entities.ts'
import { createPage } from '../app/actions/create-page.ts'
import type { AppContext } from '../app/app.ts'
import { revealed, type TreeRow, type TreeRows, treeRows } from '../app/tree-levels.ts'
import type { TreeView } from '../app/tree-view.ts'
import { icon, iconButton } from '../ui/components/icon.ts'
import { el } from '../ui/dom.ts'
import { entityHref, spaceHref } from '../ui/words/addresses.ts'

/** Rows of the first paint, and of these above the open page. */
const paintedRows = 40
const paintedAbove = 8

/**
 * The pages of a Space as a tree of links, of which those in sight are in the document. A level is loaded when it is first
 * expanded, and what comes into sight as it is scrolled. The open page is marked and in sight.
 */
export function renderTree({ app, signal }: AppContext, space: Space): HTMLElement {
  const list = el('ul', { class: 'tree-level' })
  // Loaded behind the first paint, which it takes over.
  const view = inBrowser ? mount().catch(() => null) : null
  paint()

  return el(
    'section',
    { class: 'tree', 'aria-labelledby': 'tree-title' },
    el(
      'div',
      { class: 'tree-head' },
      el('a', { id: 'tree-title', class: 'nav-heading', href: `${spaceHref(space.slug)}/pages` }, 'Pages'),
      iconButton('New page (Shift N)', 'plus', () => createPage(app, space, null)),
    ),
    el('div', { class: 'tree-list' }, list),
  )

  function currentId(): string | null {
    const { path } = app.state.get()
    const id = path.split('/').at(-1) ?? ''
    return path === entityHref(space.slug, 'page', id) ? id : null
  }

  /** Before there is a window: rows around the open page. */
  function paint(): void {
    const rows = treeRows(app.state.get().tree)
    const first = Math.max(0, Math.min(rowsAbove(rows), rows.count - paintedRows))
    const count = Math.min(paintedRows, rows.count - first)
    const painted = Array.from({ length: count }, (_, at) => renderOne(rows.at(first + at)!, first + at))
    list.replaceChildren(...painted)
  }

  function rowsAbove(rows: TreeRows): number {
    const id = currentId()
    return id === null ? 0 : Math.max(0, rows.indexOf(id) - paintedAbove)
  }

  function renderOne(row: TreeRow, index: number): HTMLElement {
    const isCurrent = row.page !== null && row.page.id === currentId()
    const onToggle = () => view?.then((mounted) => mounted?.toggle(row))
    return renderRow(row, { index, slug: space.slug, isCurrent, onToggle })
  }

  async function mount(): Promise<TreeView | null> {
    const { createTreeView } = await import('../app/tree-view.ts')
    if (signal.aborted) return null
    const view = createTreeView({
      app,
      space,
      signal,
      list,
      tree: { get: () => app.state.get().tree, set: (tree) => app.state.set({ tree }) },
      render: renderOne,
    })
    app.state.watch(({ tree }) => tree, view.draw, signal)
    app.state.watch(({ path }) => path, showCurrent, signal)
    app.keys.add(
      view.keys.map((binding) => ({ ...binding, group: 'Pages in the sidebar', within: list })),
      signal,
    )
    let isVisible = false
    // At first, and when the sheet that it is in opens.
    const observer = new ResizeObserver(() => {
      const wasVisible = isVisible
      isVisible = list.offsetWidth > 0
      if (!isVisible || wasVisible) return
      view.draw()
      const { count } = view.rows()
      list.parentElement!.scrollTop = (rowsAbove(view.rows()) * list.offsetHeight) / Math.max(1, count)
      showCurrent()
    })
    observer.observe(list)
    signal.addEventListener('abort', () => observer.disconnect())
    return view

    function showCurrent(): void {
      const id = currentId()
      const { tree } = app.state.get()
      const open = id === null ? null : revealed(tree, id)
      if (id !== null) view.setStop(id)
      if (open && open !== tree) app.state.set({ tree: [...open] })
      else view.draw()
      if (id !== null) view.show(id)
    }
  }
}

type RowOptions = {
  index: number
  slug: string
  isCurrent: boolean
  onToggle: () => void
}

function renderRow(row: TreeRow, { index, slug, isCurrent, onToggle }: RowOptions): HTMLElement {
  const { page, depth, open, place, count } = row
  const position = {
    'data-depth': Math.min(depth, 8),
    'data-row': index,
    'aria-level': depth + 1,
    'aria-posinset': place + 1,
    'aria-setsize': count,
  }
  if (!page)
    return el(
      'li',
      { class: 'tree-row tree-waits', ...position },
      el('span', { class: 'tree-link' }, '\u00a0'),
    )
  const { id, title, has_children } = page
  return el(
    'li',
    { class: 'tree-row', 'data-page': id, ...position },
    has_children
      ? el(
          'button',
          {
            class: 'tree-toggle',
            type: 'button',
            id: `tree-${id}`,
            tabindex: -1,
            'aria-expanded': open,
            'aria-label': `${open ? 'Collapse' : 'Expand'} ${title}`,
            onclick: onToggle,
          },
          icon('chevronRight'),
        )
      : el('span', { class: 'tree-leaf' }),
    el(
      'a',
      {
        class: 'tree-link',
        id: `tree-link-${id}`,
        href: entityHref(slug, 'page', id),
        title,
        tabindex: isCurrent ? 0 : -1,
        'data-stop': '',
        'aria-current': isCurrent ? 'page' : null,
      },
      title,
    ),
  )
}

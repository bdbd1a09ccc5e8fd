import type { Space } from '../../../lib/contract/entities.ts'
import { icon } from '../../ui/components/icon.ts'
import { type MenuItem, renderMenu } from '../../ui/components/menu.ts'
import { el } from '../../ui/dom.ts'
import { entityHref } from '../../ui/words/addresses.ts'
import type { PageLevels, TreeRow } from './page-levels.ts'

type RowOptions = {
  space: Space
  /** The row in the tab order. */
  current: string | null
  actions: (row: TreeRow) => MenuItem[]
  onToggle: (row: TreeRow) => void
}

/** The visible rows of the tree, each with its position for screen readers. */
export function renderTreeRows(levels: PageLevels, options: RowOptions): HTMLElement[] {
  const rows = levels.rows()
  const hasCurrent = rows.some(({ page }) => page.id === options.current)
  return rows.map((row, index) => {
    const siblings = levels.level(row.page.parent_id) ?? []
    const place = siblings.findIndex(({ id }) => id === row.page.id) + 1
    const isCurrent = hasCurrent ? row.page.id === options.current : index === 0
    return treeRow(row, { ...options, isCurrent, place, count: siblings.length })
  })
}

type OneRow = RowOptions & { isCurrent: boolean; place: number; count: number }

function treeRow(row: TreeRow, { space, actions, onToggle, isCurrent, place, count }: OneRow): HTMLElement {
  const { page, depth, open } = row
  return el(
    'div',
    {
      class: 'page-row',
      id: `row-${page.id}`,
      role: 'treeitem',
      tabindex: isCurrent ? 0 : -1,
      'aria-label': page.title,
      'aria-level': depth + 1,
      'aria-setsize': count,
      'aria-posinset': place,
      'aria-expanded': page.has_children ? open : null,
      'data-id': page.id,
      'data-page': page.id,
      'data-depth': Math.min(depth, 8),
    },
    page.has_children
      ? el(
          'button',
          {
            class: 'page-row-toggle',
            type: 'button',
            tabindex: -1,
            'aria-label': `${open ? 'Collapse' : 'Expand'} ${page.title}`,
            onclick: () => onToggle(row),
          },
          icon('chevronRight'),
        )
      : el('span', { class: 'page-row-leaf' }),
    icon('page'),
    el('a', { class: 'row-title', tabindex: -1, href: entityHref(space.slug, 'page', page.id) }, page.title),
    renderMenu({
      id: `menu-${page.id}`,
      label: `Actions for ${page.title}`,
      skipTab: true,
      items: actions(row),
    }),
  )
}

export type RowFocus = {
  /** The page whose row is in the tab order. */
  current(): string | null
  focused(): TreeRow | null
  focusRow(id: string | null): void
  /** Moves the focus by so many rows. */
  step(by: number): void
  /** The page of the next row, else of the previous one. */
  neighbour(id: string): string | null
}

/** One row of the tree is in the tab order; it follows the focus. */
export function createRowFocus(list: HTMLElement, levels: PageLevels, signal: AbortSignal): RowFocus {
  let current: string | null = null
  list.addEventListener('focusin', ({ target }) => setCurrent(target), { signal })
  const focused = () => {
    const id = document.activeElement?.closest<HTMLElement>('.page-row')?.dataset.id
    return levels.rows().find(({ page }) => page.id === id) ?? null
  }
  const focusRow = (id: string | null) => {
    if (id) list.querySelector<HTMLElement>(`#row-${id}`)?.focus()
  }

  return {
    focused,
    focusRow,
    current: () => current,
    step(by) {
      const rows = levels.rows()
      const at = rows.findIndex(({ page }) => page.id === (focused()?.page.id ?? current))
      focusRow(rows[Math.max(0, Math.min(rows.length - 1, at + by))]?.page.id ?? null)
    },
    neighbour(id) {
      const rows = levels.rows()
      const at = rows.findIndex(({ page }) => page.id === id)
      return (rows[at + 1] ?? rows[at - 1])?.page.id ?? null
    },
  }

  function setCurrent(target: EventTarget | null): void {
    const row = target instanceof Element ? target.closest<HTMLElement>('.page-row') : null
    if (!row?.dataset.id || row.dataset.id === current) return
    list.querySelector('[tabindex="0"]')?.setAttribute('tabindex', '-1')
    row.tabIndex = 0
    current = row.dataset.id
  }
}

import type { PageLevels, TreeRow } from './page-levels.ts'

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

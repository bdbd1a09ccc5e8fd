import { moveFavourite } from '../../app/actions/favourites.ts'
import type { App } from '../../app/app.ts'
import { pageType } from './drag-pages.ts'

const favouriteType = 'application/x-void-favourite'

/** Favourites are dragged to another place among them, and pages of the tree to a place there. Ends with the signal. */
export function startFavouriteDrag(app: App, signal: AbortSignal): void {
  let marked: HTMLElement | null = null

  document.addEventListener('dragstart', start, { signal })
  document.addEventListener('dragover', over, { signal })
  document.addEventListener('drop', drop, { signal })
  document.addEventListener('dragend', () => mark(null), { signal })

  function start(event: DragEvent): void {
    const id = rowAt(event)?.dataset.favourite
    if (id) event.dataTransfer?.setData(favouriteType, id)
  }

  function over(event: DragEvent): void {
    const types = event.dataTransfer?.types ?? []
    const row = types.includes(favouriteType) || types.includes(pageType) ? rowAt(event) : null
    if (row) event.preventDefault()
    mark(row, row ? isBelow(row, event) : false)
  }

  function drop(event: DragEvent): void {
    const row = rowAt(event)
    const id = event.dataTransfer?.getData(favouriteType) || event.dataTransfer?.getData(pageType)
    mark(null)
    if (!row || !id) return
    event.preventDefault()
    const { favourites, tree } = app.state.get()
    const page = [...favourites, ...tree].find((each) => each.id === id)
    const others = favourites.filter((each) => each.id !== id)
    const at = others.findIndex((each) => each.id === row.dataset.favourite)
    if (page && at !== -1) moveFavourite(app, { id, title: page.title }, at + (isBelow(row, event) ? 1 : 0))
  }

  function mark(row: HTMLElement | null, below = false): void {
    if (marked !== row) marked?.removeAttribute('data-drop')
    marked = row
    row?.setAttribute('data-drop', below ? 'after' : 'before')
  }
}

const rowAt = ({ target }: Event): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-favourite]') : null

function isBelow(row: HTMLElement, { clientY }: DragEvent): boolean {
  const { top, height } = row.getBoundingClientRect()
  return clientY > top + height / 2
}

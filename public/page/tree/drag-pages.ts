import { moveFavourite } from '../../app/actions/favourites.ts'
import { toastFailure } from '../../app/actions/toast-failure.ts'
import type { App } from '../../app/app.ts'
import { findInTree } from '../../app/tree-levels.ts'
import type { Where } from './drop-page.ts'

const pageType = 'application/x-void-page'

/** The upper and the lower part of a row, which stand for the places beside it. */
const edge = 0.28

/** Pages are dragged by their rows, in the sidebar and on the list of all pages. Ends with the signal. */
export function startPageDrag(app: App, signal: AbortSignal): void {
  let marked: HTMLElement | null = null

  document.addEventListener('dragstart', start, { signal })
  document.addEventListener('dragover', over, { signal })
  document.addEventListener('drop', drop, { signal })
  document.addEventListener('dragend', () => mark(null, 'into'), { signal })

  function start(event: DragEvent): void {
    const row = pageRowAt(event)
    if (row) event.dataTransfer?.setData(pageType, row.dataset.page!)
  }

  function over(event: DragEvent): void {
    if (!event.dataTransfer?.types.includes(pageType)) return
    const row = pageRowAt(event)
    if (row) event.preventDefault()
    mark(row, row ? whereIn(row, event.clientY) : 'into')
  }

  function drop(event: DragEvent): void {
    const id = event.dataTransfer?.getData(pageType)
    const row = id ? pageRowAt(event) : null
    mark(null, 'into')
    if (!id || !row) return
    event.preventDefault()
    const to = { id: row.dataset.page!, where: whereIn(row, event.clientY) }
    if (to.id !== id)
      toastFailure(
        app,
        import('./drop-page.ts').then(({ dropPage }) => dropPage(app, id, to)),
      )
  }

  function mark(row: HTMLElement | null, where: Where): void {
    if (marked !== row) marked?.removeAttribute('data-drop')
    marked = row
    row?.setAttribute('data-drop', where)
  }
}

const pageRowAt = ({ target }: Event): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-page]') : null

function whereIn(row: HTMLElement, y: number): Where {
  const { top, height } = row.getBoundingClientRect()
  const part = (y - top) / height
  return part < edge ? 'before' : part > 1 - edge ? 'after' : 'into'
}

const favouriteType = 'application/x-void-favourite'

/** Favourites are dragged to another place among them, and pages of the tree to a place there. Ends with the signal. */
export function startFavouriteDrag(app: App, signal: AbortSignal): void {
  let marked: HTMLElement | null = null

  document.addEventListener('dragstart', start, { signal })
  document.addEventListener('dragover', over, { signal })
  document.addEventListener('drop', drop, { signal })
  document.addEventListener('dragend', () => mark(null), { signal })

  function start(event: DragEvent): void {
    const id = favouriteRowAt(event)?.dataset.favourite
    if (id) event.dataTransfer?.setData(favouriteType, id)
  }

  function over(event: DragEvent): void {
    const types = event.dataTransfer?.types ?? []
    const row = types.includes(favouriteType) || types.includes(pageType) ? favouriteRowAt(event) : null
    if (row) event.preventDefault()
    mark(row, row ? isBelow(row, event) : false)
  }

  function drop(event: DragEvent): void {
    const row = favouriteRowAt(event)
    const id = event.dataTransfer?.getData(favouriteType) || event.dataTransfer?.getData(pageType)
    mark(null)
    if (!row || !id) return
    event.preventDefault()
    const { favourites, tree } = app.state.get()
    const page = favourites.find((each) => each.id === id) ?? findInTree(tree, id)
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

const favouriteRowAt = ({ target }: Event): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-favourite]') : null

function isBelow(row: HTMLElement, { clientY }: DragEvent): boolean {
  const { top, height } = row.getBoundingClientRect()
  return clientY > top + height / 2
}

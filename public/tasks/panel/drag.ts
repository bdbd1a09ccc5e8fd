import type { TaskStatus } from '../../../lib/contract/entities/entities.ts'

/** Cards of a board are dragged from column to column. */
export function mountDrag(
  list: HTMLElement,
  onDrop: (id: string, status: TaskStatus) => void,
  signal: AbortSignal,
): void {
  let dragged: string | null = null

  list.addEventListener(
    'dragstart',
    (event) => {
      const card =
        event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('.board-card') : null
      if (!card || !event.dataTransfer) return
      dragged = card.dataset.task ?? null
      event.dataTransfer.effectAllowed = 'move'
      event.dataTransfer.setData('text/plain', card.querySelector('.board-title')?.textContent ?? '')
      card.classList.add('is-dragged')
    },
    { signal },
  )

  list.addEventListener(
    'dragover',
    (event) => {
      const column = columnAt(event)
      if (!dragged || !column) return
      event.preventDefault()
      mark(column)
    },
    { signal },
  )

  list.addEventListener(
    'drop',
    (event) => {
      const status = columnAt(event)?.dataset.status as TaskStatus | undefined
      if (!dragged || !status) return
      event.preventDefault()
      onDrop(dragged, status)
    },
    { signal },
  )

  list.addEventListener(
    'dragend',
    () => {
      dragged = null
      mark(null)
      list.querySelector('.is-dragged')?.classList.remove('is-dragged')
    },
    { signal },
  )

  function mark(column: Element | null): void {
    for (const each of list.querySelectorAll('.board-column'))
      each.classList.toggle('is-over', each === column)
  }
}

const columnAt = (event: DragEvent): HTMLElement | null =>
  event.target instanceof Element ? event.target.closest<HTMLElement>('.board-column') : null

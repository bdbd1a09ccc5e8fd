import type { Side } from '../../app/app.ts'
import type { Place } from './desk-state.ts'

/** Makes tabs draggable: a tab moves to the position it is dropped on, or to the end behind all. */
export function addTabDrag(strip: HTMLElement, side: Side, onDrop: (from: Place, to: Place) => void): void {
  const type = 'application/x-void-tab'
  const items = [...strip.querySelectorAll('.tab')]
  const at = ({ target }: Event) => items.findIndex((item) => target instanceof Node && item.contains(target))
  const mark = (index: number) => {
    for (const [each, item] of items.entries()) item.toggleAttribute('data-over', each === index)
  }
  strip.addEventListener('dragstart', (event) => event.dataTransfer?.setData(type, `${side} ${at(event)}`))
  strip.addEventListener('dragover', (event) => {
    if (!event.dataTransfer?.types.includes(type)) return
    event.preventDefault()
    mark(at(event))
  })
  strip.addEventListener('dragleave', () => mark(-1))
  strip.addEventListener('drop', (event) => {
    const [from, index] = event.dataTransfer?.getData(type).split(' ') ?? []
    const to = at(event)
    mark(-1)
    if (from === 'left' || from === 'right')
      onDrop({ side: from, index: Number(index) }, { side, index: to < 0 ? items.length : to })
  })
}

import type { AppContext } from '../app/app.ts'
import { el } from '../dom.ts'
import { fitRailWidth, railWidths } from '../prefs.ts'

/** The edge of the rail: dragged, or moved with the arrow keys; a double click resets the width. */
export function createResizer({ app, signal }: AppContext): HTMLElement {
  const edge = el('div', {
    class: 'resizer',
    role: 'separator',
    tabindex: 0,
    'aria-orientation': 'vertical',
    'aria-label': 'Companion width',
    'aria-valuemin': railWidths.min,
    'aria-valuemax': railWidths.max,
    'aria-valuenow': app.prefs.get().railWidth,
    onpointerdown: grab,
    onkeydown: step,
    ondblclick: () => app.prefs.set({ railWidth: railWidths.initial }),
  })
  app.prefs.watch(
    ({ railWidth }) => railWidth,
    (width) => edge.setAttribute('aria-valuenow', String(width)),
    signal,
  )
  return edge

  function grab(event: PointerEvent): void {
    const drag = new AbortController()
    edge.setPointerCapture(event.pointerId)
    edge.addEventListener(
      'pointermove',
      ({ clientX }) => app.prefs.set({ railWidth: fitRailWidth(innerWidth - clientX) }),
      drag,
    )
    for (const end of ['pointerup', 'pointercancel'] as const)
      edge.addEventListener(end, () => drag.abort(), drag)
  }

  function step(event: KeyboardEvent): void {
    const by = event.key === 'ArrowLeft' ? 1 : event.key === 'ArrowRight' ? -1 : 0
    if (by === 0) return
    event.preventDefault()
    app.prefs.set(({ railWidth }) => ({ railWidth: fitRailWidth(railWidth + by * 2 * railWidths.step) }))
  }
}

// What moves the edge of the rail.

import type { App } from '../app/app.ts'
import { fitRailWidth, railWidths } from '../app/prefs.ts'

/** Follows the pointer until it is released. */
export function drag(prefs: App['prefs'], edge: HTMLElement, { pointerId }: PointerEvent): void {
  const dragging = new AbortController()
  // Throws once the pointer is up again.
  try {
    edge.setPointerCapture(pointerId)
  } catch {
    return
  }
  edge.addEventListener(
    'pointermove',
    ({ clientX }) => prefs.set({ railWidth: fitRailWidth(innerWidth - clientX) }),
    dragging,
  )
  for (const end of ['pointerup', 'pointercancel'] as const)
    edge.addEventListener(end, () => dragging.abort(), dragging)
}

/** By an arrow key; up and down do nothing. */
export function step(prefs: App['prefs'], key: string): void {
  const by = key === 'ArrowLeft' ? 1 : key === 'ArrowRight' ? -1 : 0
  prefs.set(({ railWidth }) => ({ railWidth: fitRailWidth(railWidth + by * 2 * railWidths.step) }))
}

import type { AppContext } from '../app/app.ts'
import { railWidths } from '../app/prefs.ts'
import { el } from '../ui/dom.ts'

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

  // What is done with it is loaded when somebody takes hold of it.
  async function grab(event: PointerEvent): Promise<void> {
    ;(await import('./resize.ts')).drag(app.prefs, edge, event)
  }

  async function step({ key }: KeyboardEvent): Promise<void> {
    if (key.startsWith('Arrow')) (await import('./resize.ts')).step(app.prefs, key)
  }
}

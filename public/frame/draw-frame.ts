import { rightAddress } from '../app/router/routes.ts'
import type { RailContext } from '../rail/state/rail-context.ts'
import { isPane } from './desk/pane-link.ts'
import { renderContent, renderFrame } from './frame.ts'

/**
 * Returns a function that draws the frame around the view, and ends the previous one. With `keep`, the nodes of the
 * view stay.
 */
export function createFrameDrawer(context: RailContext): (layout: 'reading' | 'wide' | 'keep') => void {
  let controller = new AbortController()

  return (layout) => {
    controller.abort()
    controller = new AbortController()
    const old = layout === 'keep' ? document.querySelector('.desk') : null
    const content = {
      layout: layout === 'keep' ? ('reading' as const) : layout,
      nodes: null,
      right: rightAddress(new URL(location.href)),
    }
    if (isPane()) {
      document.querySelector('#app')?.replaceChildren(renderContent(content))
      return
    }
    const frame = renderFrame({ ...context, signal: controller.signal }, content)
    const focused = document.activeElement
    if (old) frame.querySelector('.desk')?.replaceWith(old)
    document.querySelector('#app')?.replaceChildren(frame)
    // What moves to another place of the page loses the focus.
    if (focused instanceof HTMLElement && old?.contains(focused)) focused.focus({ preventScroll: true })
  }
}

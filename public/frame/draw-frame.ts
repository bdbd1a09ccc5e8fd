import type { App } from '../app.ts'
import { besideOf } from '../desk/beside.ts'
import { isPane } from '../desk/pane-link.ts'
import { renderContent, renderFrame } from './frame.ts'

/**
 * Returns a function that draws everything around the view into the page, ending what was drawn before. With `keep`,
 * the view's own nodes stay where they are.
 */
export function createFrameDrawer(app: App): (layout: 'reading' | 'wide' | 'keep') => void {
  let controller = new AbortController()

  return (layout) => {
    controller.abort()
    controller = new AbortController()
    const old = layout === 'keep' ? document.querySelector('.desk') : null
    const content = {
      layout: layout === 'keep' ? ('reading' as const) : layout,
      nodes: null,
      beside: besideOf(new URL(location.href)),
    }
    if (isPane()) {
      document.querySelector('#app')?.replaceChildren(renderContent(content))
      return
    }
    const frame = renderFrame({ app, signal: controller.signal }, content)
    const focused = document.activeElement
    if (old) frame.querySelector('.desk')?.replaceWith(old)
    document.querySelector('#app')?.replaceChildren(frame)
    // What moves to another place of the page loses the focus.
    if (focused instanceof HTMLElement && old?.contains(focused)) focused.focus({ preventScroll: true })
  }
}

import type { App } from '../app.ts'
import { renderFrame } from './frame.ts'

/**
 * Returns a function that draws everything around the view into the page, ending what was drawn before. With `keep`,
 * the view's own nodes stay where they are.
 */
export function createFrameDrawer(app: App): (layout: 'reading' | 'wide' | 'keep') => void {
  let controller = new AbortController()

  return (layout) => {
    controller.abort()
    controller = new AbortController()
    const old = layout === 'keep' ? document.querySelector('#content') : null
    const content = { layout: layout === 'keep' ? ('reading' as const) : layout, nodes: null }
    const frame = renderFrame({ app, signal: controller.signal }, content)
    if (old) frame.querySelector('#content')?.replaceWith(old)
    document.querySelector('#app')?.replaceChildren(frame)
  }
}

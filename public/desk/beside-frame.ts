import { withBeside } from './beside.ts'
import type { ToPane } from './pane-link.ts'
import { renderRightPane } from './right-pane.ts'

/** The frame of the right half. `at` is the address that it said it shows; `null` while it is on its way. */
export function createBesideFrame(at: () => string | null) {
  /** Where it is to go once it is there. */
  let waiting: string | null = null
  const frame = () => document.querySelector<HTMLIFrameElement>('#beside')

  return {
    window: () => frame()?.contentWindow,

    /** Shows an address there, or takes the right half away. The page's own address says so too. */
    show(href: string | null): void {
      const there = frame()
      const place = document.querySelector('.desk')
      place?.toggleAttribute('data-split', href !== null)
      if (href === null) {
        there?.closest('.pane')?.remove()
        waiting = null
      } else if (!there) place?.append(renderRightPane(href))
      else if ((at() ?? waiting ?? there.getAttribute('src')) !== href) go(href)
      const url = withBeside(new URL(location.href), href)
      if (url.href !== location.href) history.replaceState(history.state, '', url)
    },

    go,

    openPalette: () => tell({ void: 'palette' }),

    /** It has arrived somewhere; returns whether it is sent on at once. */
    arrive(): boolean {
      if (waiting === null) return false
      go(waiting)
      return true
    },
  }

  function go(href: string): void {
    waiting = at() === null ? href : null
    if (waiting !== null) return
    tell({ void: 'go', href })
  }

  function tell(message: ToPane): void {
    frame()?.contentWindow?.postMessage(message, location.origin)
  }
}

import { withRightAddress } from '../../app/router/routes.ts'
import { outwardUrl, pageUrl, within } from '../../ui/address.ts'
import type { ToPane } from './pane-link.ts'
import { renderRightPane } from './tab-strip.ts'

/** The frame of the right pane. `at`: the URL that it reports; `null` until it has loaded. */
export function createRightFrame(at: () => string | null) {
  /** The URL to open once it has loaded. */
  let pending: string | null = null
  const frame = () => document.querySelector<HTMLIFrameElement>('#beside')

  return {
    window: () => frame()?.contentWindow,

    /** Opens a URL in it, or removes the right pane. The URL of the page changes too. */
    show(href: string | null): void {
      const current = frame()
      const desk = document.querySelector('.desk')
      desk?.toggleAttribute('data-split', href !== null)
      if (href === null) {
        current?.closest('.pane')?.remove()
        pending = null
      } else if (!current) desk?.append(renderRightPane(href))
      else if ((at() ?? pending ?? addressOf(current)) !== href) navigate(href)
      const url = withRightAddress(pageUrl(), href)
      if (url.href !== pageUrl().href) history.replaceState(history.state, '', outwardUrl(url))
    },

    navigate,

    /** Called when it has shown an address; returns whether it is sent on to another one at once. */
    onArrival(): boolean {
      if (pending === null) return false
      navigate(pending)
      return true
    },
  }

  function navigate(href: string): void {
    pending = at() === null ? href : null
    if (pending === null) post({ void: 'go', href })
  }

  function post(message: ToPane): void {
    frame()?.contentWindow?.postMessage(message, location.origin)
  }
}

function addressOf({ src }: HTMLIFrameElement): string | null {
  const url = within(src)
  return url && url.pathname + url.search + url.hash
}

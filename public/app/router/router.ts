// Navigates from view to view without leaving the page. The address is the state of where you are.

import { loadRichSyntax } from '../../ui/markdown/markdown.ts'
import type { AppContext } from '../app.ts'
import type { LoadContext } from '../view.ts'
import { hrefOfClick } from './link-click.ts'
import { type LoadView, openView } from './open-view.ts'
import { rightAddress, withRightAddress } from './right-address.ts'
import { matchRoute, type RouteMatch } from './routes.ts'
import { restoreScroll, storeScroll } from './scroll-position.ts'
import { createShownView, type Opened } from './shown-view.ts'

export type Router = {
  navigate(href: string, options?: { replace?: boolean }): Promise<void>
  /** Opens the address of the page without drawing it: the first paint is there already. */
  open(url: URL): Promise<Opened>
  /** Takes over a drawn view. */
  adopt(opened: Opened): void
}

export type RouterOptions = AppContext & {
  /** The column that scrolls, and the element in it that holds the view. */
  content: () => { scroller: HTMLElement; root: HTMLElement }
  /** Switches to the Space of the address; resolves to it, or null when there is none of that name. */
  enterSpace(match: RouteMatch | null): Promise<LoadContext['space']>
  loadView: LoadView
  onProgress(busy: boolean): void
}

type HistoryChange = 'push' | 'replace' | 'none'

export function createRouter(options: RouterOptions): Router {
  const { app, signal, content, enterSpace, loadView, onProgress } = options
  const shown = createShownView({ app, signal }, () => content().root)
  let loading: AbortController | null = null
  const onScroll = () => storeScroll(content().scroller)

  history.scrollRestoration = 'manual'
  window.addEventListener('popstate', () => go(new URL(location.href), 'none'))
  window.addEventListener('click', (event) => {
    const href = hrefOfClick(event)
    if (href === null) return
    event.preventDefault()
    navigate(href)
  })
  window.addEventListener('pagehide', onScroll)
  document.addEventListener('scrollend', onScroll, { capture: true })

  return { navigate, open, adopt }

  async function navigate(href: string, { replace = false } = {}): Promise<void> {
    if (app.openBeside?.(href)) return
    const url = new URL(href, location.href)
    if (url.origin !== location.origin) location.assign(url)
    else await go(url, replace || url.href === location.href ? 'replace' : 'push')
  }

  async function go(to: URL, change: HistoryChange): Promise<void> {
    // The right pane stays open.
    const url = change === 'none' ? to : withRightAddress(to, rightAddress(new URL(location.href)))
    if (isJump(url, change)) return
    storeScroll(content().scroller)
    loading?.abort()
    const controller = new AbortController()
    loading = controller
    const late = setTimeout(() => onProgress(true), 150)
    try {
      // What reads rare Markdown is there from the second view on; without it a text shows its source.
      const [opened] = await Promise.all([open(url), loadRichSyntax()])
      if (controller.signal.aborted) return
      if (change === 'push') history.pushState({}, '', url)
      if (change === 'replace') history.replaceState({}, '', url)
      show(opened)
    } finally {
      clearTimeout(late)
      if (loading === controller) onProgress(false)
    }
  }

  async function open(url: URL): Promise<Opened> {
    const match = matchRoute(url.pathname)
    const space = await enterSpace(match)
    const context: LoadContext = { url, params: match?.params ?? {}, space, api: app.api, now: app.now() }
    const reopen = () => openView(match, { ...context, now: app.now() }, loadView)
    return { url, view: await reopen(), context, reopen }
  }

  function show(opened: Opened): void {
    const { scroller, root } = content()
    root.dataset.layout = opened.view.layout
    shown.show(opened)
    if (!isWriting()) scroller.focus({ preventScroll: true })
    app.announce(opened.view.title)
    restoreScroll(scroller, opened.url)
  }

  function adopt(opened: Opened): void {
    const { scroller } = content()
    shown.show(opened)
    // So that the keys that scroll work at once.
    if (document.activeElement === document.body && !isWriting()) scroller.focus({ preventScroll: true })
    restoreScroll(scroller, opened.url)
  }
}

/** To the companion, beside this page or beside the one that this is a pane of: what opens meanwhile is no reason to stop. */
const isWriting = (): boolean => window.parent.document.activeElement?.matches('#rail textarea') === true

// The browser itself jumps to a heading of the same page.
function isJump(url: URL, change: HistoryChange): boolean {
  if (change !== 'push' || !url.hash) return false
  const same = url.pathname === location.pathname && url.search === location.search
  if (same) location.hash = url.hash
  return same
}

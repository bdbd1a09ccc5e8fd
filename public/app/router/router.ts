// Navigates from view to view without leaving the page. The address is the state of where you are.

import type { LiveEvent } from '../../../lib/contract/events/live.ts'
import { outwardUrl, pageUrl, within } from '../../ui/address.ts'
import { el, flatten } from '../../ui/dom.ts'
import { loadRichSyntax } from '../../ui/markdown/markdown.ts'
import { rerender } from '../../ui/rerender.ts'
import { exactTime, localDay, timeOfDay } from '../../ui/time.ts'
import type { AppContext } from '../app.ts'
import { type LoadContext, type OpenView, tabOf } from '../view.ts'
import type { CitedContext } from './mark-cited.ts'
import { errorView, type LoadView, openView } from './open-view.ts'
import { matchRoute, type RouteMatch, rightAddress, withRightAddress } from './routes.ts'

export type Router = {
  navigate(href: string, options?: { replace?: boolean }): Promise<void>
  /** Opens the address of the page without drawing it: the first paint is there already. */
  open(url: URL): Promise<Opened>
  /** Takes over a drawn view. */
  adopt(opened: Opened): void
}

type RouterOptions = AppContext & {
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
  const currentView = createShownView({ app, signal }, () => content().root)
  let loading: AbortController | null = null
  // The address is that of another entry already, while the view is still the one before.
  let isTraversing = false
  const onScroll = () => {
    if (!isTraversing) storeScroll(content().scroller)
  }

  history.scrollRestoration = 'manual'
  window.addEventListener('popstate', () => {
    isTraversing = true
    void go(pageUrl(), 'none')
  })
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
    const url = new URL(href, pageUrl())
    if (url.origin !== location.origin) location.assign(url)
    else await go(url, replace || url.href === pageUrl().href ? 'replace' : 'push')
  }

  async function go(to: URL, change: HistoryChange): Promise<void> {
    // The right pane stays open.
    const url = change === 'none' ? to : withRightAddress(to, rightAddress(pageUrl()))
    if (isJump(url, change)) return
    onScroll()
    loading?.abort()
    const controller = new AbortController()
    loading = controller
    const late = setTimeout(() => onProgress(true), 150)
    try {
      // What reads rare Markdown is there from the second view on; without it a text shows its source.
      const [opened] = await Promise.all([open(url), loadRichSyntax()])
      if (controller.signal.aborted) return
      if (change === 'push') history.pushState({}, '', outwardUrl(url))
      if (change === 'replace') history.replaceState({}, '', outwardUrl(url))
      show(opened)
    } finally {
      clearTimeout(late)
      if (loading === controller) onProgress(false)
    }
  }

  async function open(url: URL): Promise<Opened> {
    const match = matchRoute(url.pathname)
    let isEntered = false
    const context: LoadContext = {
      url,
      params: match?.params ?? {},
      space: null,
      api: app.api,
      now: app.now(),
    }
    const reopen = async () => {
      let asOf: string | null = null
      const onStored = (at: string) => {
        asOf = asOf === null || at < asOf ? at : asOf
      }
      const api: LoadContext['api'] = { get: (path, options) => app.api.get(path, { ...options, onStored }) }
      try {
        if (!isEntered) context.space = await enterSpace(match)
        isEntered = true
      } catch (error) {
        return { view: await errorView(error).open(context), asOf }
      }
      return { view: await openView(match, { ...context, api, now: app.now() }, loadView), asOf }
    }
    return { url, ...(await reopen()), context, reopen }
  }

  function show(opened: Opened): void {
    const { scroller, root } = content()
    root.dataset.layout = opened.view.layout
    currentView.show(opened)
    if (!isWriting()) scroller.focus({ preventScroll: true })
    app.announce(opened.view.title)
    restoreScroll(scroller, opened.url)
    isTraversing = false
  }

  function adopt(opened: Opened): void {
    const { scroller } = content()
    currentView.show(opened)
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
  const same = url.pathname === pageUrl().pathname && url.search === location.search
  if (same) location.hash = url.hash
  return same
}

// The view that is shown: drawn, refreshed after live events, and ended when another one replaces it.

/** `asOf`: when the server gave what is shown, where this device had it and the server could not be reached. */
type Shown = { view: OpenView; asOf: string | null }

type Opened = Shown & { url: URL; context: LoadContext; reopen: () => Promise<Shown> }

/** Live events within this time are one refresh. */
const flushDelayMs = 120

/** `root` is the element that holds the view. */
function createShownView({ app, signal }: AppContext, root: () => HTMLElement) {
  let current: { controller: AbortController; opened: Opened } | null = null
  let gathering = false
  let refreshes = 0
  app.live.on(onLive, signal)

  return { show: (opened: Opened) => start(opened, (nodes) => root().replaceChildren(...nodes)) }

  function start(opened: Opened, put: (nodes: (Node | string)[]) => void): void {
    current?.controller.abort()
    const controller = new AbortController()
    const active = { controller, opened }
    current = active
    const { view, asOf, context, url } = opened
    const refresh = (isOutdated = () => false) => reload(context, isOutdated)
    const viewContext = { ...context, app, signal: controller.signal, refresh }

    document.title = `${view.title} · Void`
    app.state.set({ path: url.pathname, subject: view.subject, here: tabOf(url, view), saving: null })
    put(flatten([asOf && asOfLine(asOf, app.now()), view.render(viewContext)]))
    view.mount(root(), viewContext)
    const named = citedIn(url)
    if (named !== null) markPassage(root(), named, { app, subject: view.subject, signal: controller.signal })
  }

  /**
   * Refreshes the view as it stands now, also when an earlier drawing of it asks; nothing once it was left. Of several
   * refreshes at once only the last shows its result.
   */
  async function reload(context: LoadContext, isOutdated: () => boolean): Promise<void> {
    const opened = current?.opened
    if (opened?.context !== context) return
    refreshes += 1
    const mine = refreshes
    const shown = await opened.reopen()
    if (current?.opened.context !== context || mine !== refreshes || isOutdated()) return
    start({ ...opened, ...shown }, (nodes) => rerender(root(), nodes))
  }

  function onLive(event: LiveEvent): void {
    if (!current || current.opened.view.keepsItself) return
    const missed = event.type === 'hello' && (!event.data.resumed || current.opened.asOf !== null)
    if (missed || current.opened.view.affectedBy(event)) gather()
  }

  function gather(): void {
    if (gathering) return
    gathering = true
    setTimeout(() => {
      gathering = false
      const active = current
      if (!active || active.opened.view.keepsItself) return
      reload(active.opened.context, () => active.opened.view.keepsItself).catch(() => {})
    }, flushDelayMs)
  }
}

function asOfLine(asOf: string, now: Date): HTMLElement {
  const then = new Date(asOf)
  const when = localDay(then) === localDay(now) ? timeOfDay(then) : exactTime(asOf)
  return el('p', { class: 'as-of dim small', role: 'status' }, `Offline, as of ${when}`)
}

/** The code that marks a cited passage comes with the first one. */
async function markPassage(root: HTMLElement, named: string | number, context: CitedContext): Promise<void> {
  const { markCited } = await import('./mark-cited.ts')
  if (!context.signal.aborted) await markCited(root, named, context)
}

const citedIn = ({ searchParams, hash }: URL): string | number | null => {
  const passage = /^#passage-(\d{1,6})$/.exec(hash)
  return searchParams.get('cite') || (passage && Number(passage[1]))
}

/** The address that a click asks for: a plain click on a link of the app. `null` for any other. */
function hrefOfClick(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0) return null
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null
  const anchor = event.target instanceof Element ? event.target.closest('a') : null
  if (!anchor || anchor.target === '_blank' || anchor.hasAttribute('download')) return null
  const url = URL.canParse(anchor.href) ? within(anchor.href) : null
  if (!url || /^\/(api|assets|sign-|capture$)/.test(url.pathname)) return null
  // The server redirects it to a Space.
  return url.pathname === '/' ? null : url.href
}

// The scroll position of each entry of the browser's history.

/** Stores where the content is scrolled to with the current entry. */
function storeScroll(scroller: Element): void {
  history.replaceState({ ...history.state, scroll: scroller.scrollTop }, '')
}

/** Scrolls to the stored position; to the top for a new entry. */
function restoreScroll(scroller: Element, url: URL): void {
  if (url.searchParams.has('cite')) return
  const { scroll } = history.state ?? {}
  // The view itself scrolls to the heading that a new address names.
  if (url.hash && typeof scroll !== 'number') return
  scroller.scrollTo({ top: typeof scroll === 'number' ? scroll : 0, behavior: 'instant' })
}

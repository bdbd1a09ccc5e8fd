// Goes from view to view without leaving the page. The address is the state of where you are; the browser's history
// keeps the scroll position of each entry.

import type { LiveEvent } from '../lib/contract/live.ts'
import { ApiError } from './api.ts'
import type { App } from './app.ts'
import { besideOf, withBeside } from './desk/beside.ts'
import { flatten } from './dom.ts'
import { hereOf } from './here.ts'
import { markCited } from './mark-cited.ts'
import { rerender } from './rerender.ts'
import { matchRoute, type RouteMatch } from './routes.ts'
import type { LoadContext, OpenView, View } from './view.ts'
import { errorView, noSpaceView, notFoundView } from './views/error.ts'

export type Router = {
  navigate(href: string, options?: { replace?: boolean }): Promise<void>
  /** Opens the address of the page without drawing it: the first paint is there already. */
  open(url: URL): Promise<Opened>
  /** Takes over a drawn view. */
  adopt(opened: Opened): void
}

export type Opened = { url: URL; view: OpenView; context: LoadContext; reopen: () => Promise<OpenView> }

export type RouterDeps = {
  app: App
  /** The column that scrolls, and the element in it that holds the view. */
  content: () => { scroller: HTMLElement; root: HTMLElement }
  /** Makes another Space the one of navigation and rail; resolves to it, or null when there is none of that name. */
  enterSpace(match: RouteMatch | null): Promise<LoadContext['space']>
  onProgress(busy: boolean): void
}

type Active = { controller: AbortController; opened: Opened }

/** How long live events are gathered before the view is refreshed. */
const gatherMs = 120

export function createRouter({ app, content, enterSpace, onProgress }: RouterDeps): Router {
  let current: Active | null = null
  let going: AbortController | null = null
  let gathering = false
  let rereads = 0

  history.scrollRestoration = 'manual'
  window.addEventListener('popstate', () => go(new URL(location.href), { history: 'keep' }))
  window.addEventListener('click', (event) => {
    const href = hrefOfClick(event)
    if (href === null) return
    event.preventDefault()
    navigate(href)
  })
  window.addEventListener('pagehide', rememberScroll)
  document.addEventListener('scrollend', rememberScroll, { capture: true })
  app.live.on(onLive, app.signal)

  return { navigate, open, adopt }

  async function navigate(href: string, { replace = false } = {}): Promise<void> {
    const url = new URL(href, location.href)
    if (url.origin !== location.origin) {
      location.assign(url)
      return
    }
    await go(url, { history: replace || url.href === location.href ? 'replace' : 'push' })
  }

  async function go(to: URL, { history: how }: { history: 'push' | 'replace' | 'keep' }): Promise<void> {
    // What is beside stays there, wherever one goes.
    const url = how === 'keep' ? to : withBeside(to, besideOf(new URL(location.href)))
    if (isJump(url, how)) return
    rememberScroll()
    going?.abort()
    const controller = new AbortController()
    going = controller
    const late = setTimeout(() => onProgress(true), 150)
    try {
      const opened = await open(url)
      if (controller.signal.aborted) return
      if (how === 'push') history.pushState({}, '', url)
      if (how === 'replace') history.replaceState({}, '', url)
      show(opened)
      restoreScroll(url)
    } finally {
      clearTimeout(late)
      if (going === controller) onProgress(false)
    }
  }

  // A click on a link to a heading of the same page is the browser's affair.
  function isJump(url: URL, how: string): boolean {
    if (how !== 'push' || !url.hash) return false
    const same = url.pathname === location.pathname && url.search === location.search
    if (same) location.hash = url.hash
    return same
  }

  async function open(url: URL): Promise<Opened> {
    const match = matchRoute(url.pathname)
    const space = await enterSpace(match)
    const context: LoadContext = { url, params: match?.params ?? {}, space, api: app.api, now: app.now() }
    const reopen = () => openMatched(match, { ...context, now: app.now() })
    return { url, view: await reopen(), context, reopen }
  }

  function show(opened: Opened): void {
    const { scroller, root } = content()
    root.dataset.layout = opened.view.layout
    start(opened, root, (nodes) => root.replaceChildren(...nodes))
    scroller.focus({ preventScroll: true })
    app.announce(opened.view.title)
  }

  function adopt(opened: Opened): void {
    const { scroller, root } = content()
    start(opened, root, (nodes) => root.replaceChildren(...nodes))
    // So that the keys that scroll work at once.
    if (document.activeElement === document.body) scroller.focus({ preventScroll: true })
    restoreScroll(opened.url)
  }

  function start(opened: Opened, root: HTMLElement, put: (nodes: (Node | string)[]) => void): void {
    current?.controller.abort()
    const controller = new AbortController()
    const active = { controller, opened }
    current = active
    const { view, context, url } = opened
    const refresh = (isOutdated = () => false) => reread(active, isOutdated)
    const whole = { ...context, app, signal: controller.signal, refresh }

    document.title = `${view.title} · Void`
    app.state.set({ path: url.pathname, subject: view.subject, here: hereOf(url, view), saving: null })
    put(flatten([view.render(whole)]))
    view.mount(root, whole)
    markCited(root, url.searchParams.get('cite'), controller.signal)
  }

  /** What was asked for later is newer: an answer that it overtakes shows nothing. */
  async function reread(active: Active, isOutdated: () => boolean): Promise<void> {
    rereads += 1
    const mine = rereads
    const view = await active.opened.reopen()
    if (current !== active || mine !== rereads || isOutdated()) return
    const { root } = content()
    start({ ...active.opened, view }, root, (nodes) => rerender(root, nodes))
  }

  function onLive(event: LiveEvent): void {
    if (!current || current.opened.view.keepsItself) return
    const missed = event.type === 'hello' && !event.data.resumed
    if (missed || current.opened.view.affectedBy(event)) gather()
  }

  function rememberScroll(): void {
    history.replaceState({ ...history.state, scroll: content().scroller.scrollTop }, '')
  }

  function restoreScroll(url: URL): void {
    if (url.searchParams.has('cite')) return
    const { scroll } = history.state ?? {}
    // The view itself goes to the heading that a new address names.
    if (url.hash && typeof scroll !== 'number') return
    content().scroller.scrollTo({ top: typeof scroll === 'number' ? scroll : 0, behavior: 'instant' })
  }

  // Many events at once, as an import makes them, are one refresh.
  function gather(): void {
    if (gathering) return
    gathering = true
    setTimeout(() => {
      gathering = false
      const active = current
      if (!active || active.opened.view.keepsItself) return
      reread(active, () => active.opened.view.keepsItself).catch(() => {})
    }, gatherMs)
  }
}

async function openMatched(match: RouteMatch | null, context: LoadContext): Promise<OpenView> {
  return await (await pickView(match, context)).open(context).catch((error: unknown) => {
    const missing = error instanceof ApiError && error.status === 404
    return (missing ? notFoundView : errorView(error)).open(context)
  })
}

async function pickView(match: RouteMatch | null, context: LoadContext): Promise<View> {
  if (!match) return notFoundView
  if (match.params.slug && !context.space) return noSpaceView
  try {
    return (await match.route.load()).view
  } catch {
    return errorView(
      new ApiError(0, 'not_fetched', 'This part of the app could not be fetched. Try again, or reload.'),
    )
  }
}

/** The address that a click asks for, when it is one for us: a plain click on a link of this origin. */
function hrefOfClick(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0) return null
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null
  const anchor = event.target instanceof Element ? event.target.closest('a') : null
  if (!anchor || anchor.target === '_blank' || anchor.hasAttribute('download')) return null
  if (anchor.origin !== location.origin || /^\/(api|assets|sign-)/.test(anchor.pathname)) return null
  // The start redirects on the server.
  return anchor.pathname === '/' ? null : anchor.href
}

// The view that is shown: drawn, refreshed after live events, and ended when another one replaces it.

import type { LiveEvent } from '../../../lib/contract/events/live.ts'
import { flatten } from '../../ui/dom.ts'
import { rerender } from '../../ui/rerender.ts'
import type { AppContext } from '../app.ts'
import { tabOf } from '../current-tab.ts'
import type { LoadContext, OpenView } from '../view.ts'
import type { CitedContext } from './mark-cited.ts'

export type Opened = { url: URL; view: OpenView; context: LoadContext; reopen: () => Promise<OpenView> }

/** Live events within this time are one refresh. */
const flushDelayMs = 120

/** `root` is the element that holds the view. */
export function createShownView({ app, signal }: AppContext, root: () => HTMLElement) {
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
    const { view, context, url } = opened
    const refresh = (isOutdated = () => false) => reload(context, isOutdated)
    const viewContext = { ...context, app, signal: controller.signal, refresh }

    document.title = `${view.title} · Void`
    app.state.set({ path: url.pathname, subject: view.subject, here: tabOf(url, view), saving: null })
    put(flatten([view.render(viewContext)]))
    view.mount(root(), viewContext)
    const words = url.searchParams.get('cite')
    if (words) markWords(root(), words, { app, subject: view.subject, signal: controller.signal })
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
    const view = await opened.reopen()
    if (current?.opened.context !== context || mine !== refreshes || isOutdated()) return
    start({ ...opened, view }, (nodes) => rerender(root(), nodes))
  }

  function onLive(event: LiveEvent): void {
    if (!current || current.opened.view.keepsItself) return
    const missed = event.type === 'hello' && !event.data.resumed
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

/** The code that marks a cited passage comes with the first one. */
async function markWords(root: HTMLElement, words: string, context: CitedContext): Promise<void> {
  const { markCited } = await import('./mark-cited.ts')
  if (!context.signal.aborted) await markCited(root, words, context)
}

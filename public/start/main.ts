// Takes over the page that the server painted: the same nodes, now live.

import { createApi } from '../app/api/api.ts'
import { createLiveSource } from '../app/api/live.ts'
import { type App, type AppState, initialState } from '../app/app.ts'
import { createKeys } from '../app/keys.ts'
import { createPrefsStore } from '../app/prefs.ts'
import { createRouter, type Router } from '../app/router/router.ts'
import { createStore } from '../app/state.ts'
import { createCards } from '../drafts/card/cards.ts'
import { createDeferredDesk } from '../frame/desk/deferred-desk.ts'
import type { DeskPart } from '../frame/desk/desk.ts'
import { isPane, sendToPage } from '../frame/desk/pane-link.ts'
import { enterSpace } from '../frame/enter-space.ts'
import { addFileDrop } from '../frame/file-drop.ts'
import { createFrameDrawer } from '../frame/frame.ts'
import { syncLiveState } from '../frame/live-state.ts'
import { addPageKeys } from '../frame/page-keys.ts'
import { openPalette } from '../frame/palette/open-palette.ts'
import { closeSheets, createSheets } from '../frame/sheets.ts'
import type { RailContext } from '../rail/state/conversation-part.ts'
import { pageUrl } from '../ui/address.ts'
import { createToasts } from '../ui/components/toasts.ts'
import { loadRichSyntax, mayBeRich } from '../ui/markdown/markdown.ts'
import { loadView } from './views.ts'

await start()

async function start(): Promise<void> {
  const { signal } = new AbortController()
  // Of the views that are not shown yet.
  for (const link of document.querySelectorAll<HTMLLinkElement>('[data-area]')) link.rel = 'stylesheet'
  const { toast, announce, lastAction } = createToasts()
  const desk = createDeferredDesk()
  const cards = createCards()
  let router: Router | null = null
  const app = createApp(signal, {
    toast,
    announce,
    navigate: async (href, options) => await router?.navigate(href, options),
  })
  const context: RailContext = { app, signal, cards, desk }

  router = createRouter({
    app,
    signal,
    content: () => ({
      scroller: document.querySelector<HTMLElement>('#content')!,
      root: document.querySelector<HTMLElement>('#view')!,
    }),
    enterSpace: (match) => enterSpace(app, match),
    loadView,
    onProgress: (busy) => document.documentElement.toggleAttribute('data-busy', busy),
  })
  const opened = await router.open(pageUrl())
  if (mayBeRich(document.querySelector('#preloaded')?.textContent ?? '')) await loadRichSyntax()
  // The server painted them: without their code they would vanish for a moment.
  if (app.state.get().companion?.cards.length) await cards.ready()
  const drawFrame = createFrameDrawer(context)
  drawFrame(opened.view.layout)
  router.adopt(opened)
  app.state.watch(
    ({ space }) => space?.id,
    () => drawFrame('keep'),
    signal,
  )
  app.state.watch(({ path }) => path, closeSheets, signal)
  syncLiveState(context)
  import('../app/storage/recent-items.ts').then(({ trackRecentItems }) => trackRecentItems(context))
  addPageKeys(context, lastAction)
  addFileDrop(app)
  document.documentElement.dataset.ready = ''
  desk.resolve(await startDesk(context).catch(() => null))
  app.live.begin()
  // Code that is not needed at first.
  await import('./rest.ts').then(({ startRest }) => startRest(context)).catch(() => {})
  document.documentElement.dataset.ready = 'whole'
}

function createApp(signal: AbortSignal, parts: Pick<App, 'toast' | 'announce' | 'navigate'>): App {
  const api = createApi({ preloaded: readPreloaded(), onSignedOut: askToSignIn })
  const prefs = createPrefsStore(signal)
  const state = createStore<AppState>({
    spaces: [],
    space: null,
    tree: [],
    favourites: [],
    contents: [],
    companion: null,
    inbox: 0,
    ...initialState,
    path: pageUrl().pathname,
    subject: null,
    here: { href: pageUrl().pathname, title: document.title, kind: '' },
  })
  const app: App = {
    ...parts,
    api,
    state,
    prefs,
    keys: createKeys(window, () => prefs.get().letterKeys),
    live: createLiveSource({
      api,
      signal,
      onConnection: (connection) => state.set({ connection }),
      onSignedOut: askToSignIn,
    }),
    now: () => new Date(),
    panels: {
      ...createSheets(prefs),
      openPalette: (event, navigate = app.navigate) => openPalette({ ...app, navigate }, event),
      ...(isPane() ? panelsOfPane() : {}),
    },
  }
  return app
}

/** The page around a pane opens these. */
function panelsOfPane(): Pick<App['panels'], 'toggleRail' | 'openPalette'> {
  return {
    toggleRail: () => sendToPage({ void: 'companion' }),
    openPalette: () => sendToPage({ void: 'palette' }),
  }
}

/** The tabs; none where this page is the right pane of another one. */
async function startDesk(context: RailContext): Promise<DeskPart | null> {
  if (!isPane()) return (await import('../frame/desk/desk.ts')).startDesk(context)
  const { startPane } = await import('../frame/desk/start-pane.ts')
  startPane(context)
  return null
}

async function askToSignIn(): Promise<void> {
  const { showSignIn } = await import('../frame/sign-in-dialog.ts')
  showSignIn()
}

function readPreloaded(): Record<string, unknown> {
  const text = document.querySelector('#preloaded')?.textContent
  return text ? JSON.parse(text) : {}
}

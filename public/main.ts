// Takes over the page that the server painted: the same nodes, now alive.

import type { Citation } from '../lib/contract/events.ts'
import { entityHref } from './addresses.ts'
import { createApi } from './api.ts'
import { type App, type AppState, startState } from './app.ts'
import { createCards } from './card/cards.ts'
import { createToasts } from './components/toasts.ts'
import type { DeskPart } from './desk/desk.ts'
import { isPane, sendToPage } from './desk/pane-link.ts'
import { createFrameDrawer } from './frame/draw-frame.ts'
import { enterSpace } from './frame/enter-space.ts'
import { followLive } from './frame/follow-live.ts'
import { keepPrefs } from './frame/keep-prefs.ts'
import { closeOnPhone, createSheets } from './frame/sheets.ts'
import { createKeys } from './keys.ts'
import { createLiveSource } from './live.ts'
import { keepRecent } from './recent.ts'
import { createRouter, type Router } from './router.ts'
import { createStore } from './state.ts'

await start()

async function start(): Promise<void> {
  const { signal } = new AbortController()
  const prefs = keepPrefs(signal)
  const api = createApi({ preloaded: readPreloaded(), onSignedOut: askToSignIn })
  const state = createStore<AppState>({
    spaces: [],
    space: null,
    tree: [],
    companion: null,
    inbox: 0,
    ...startState,
    path: location.pathname,
    subject: null,
    here: { href: location.pathname, title: document.title, kind: '' },
  })
  const { toast, announce, offer } = createToasts()
  let router: Router | null = null
  let desk: DeskPart | null = null
  const deskReady = Promise.withResolvers<void>()

  const app: App = {
    api,
    state,
    prefs,
    toast,
    announce,
    signal,
    cards: createCards(),
    keys: createKeys(window),
    live: createLiveSource({ api, signal, onConnection: (connection) => state.set({ connection }) }),
    now: () => new Date(),
    navigate: async (href, options) => await router?.navigate(href, options),
    openCitation: (citation) => openCitation(app, citation),
    openPalette: (event) => openPalette(app, event),
    openDesk: (without) => desk?.describe(without) ?? null,
    async applyEffect(effect) {
      await deskReady.promise
      return (await desk?.applyEffect(effect)) ?? false
    },
    ...createSheets(prefs),
    ...(isPane() ? { toggleRail: () => sendToPage({ void: 'companion' }) } : {}),
  }

  router = createRouter({
    app,
    content: () => ({
      scroller: document.querySelector<HTMLElement>('#content')!,
      root: document.querySelector<HTMLElement>('#view')!,
    }),
    enterSpace: (match) => enterSpace(app, match),
    onProgress: (busy) => document.documentElement.toggleAttribute('data-busy', busy),
  })
  const opened = await router.open(new URL(location.href))
  // The server painted them: they must not go for a moment, only to come back.
  if (state.get().companion?.cards.length) await app.cards.ready()
  const drawFrame = createFrameDrawer(app)
  drawFrame(opened.view.layout)
  router.adopt(opened)
  app.state.watch(
    ({ space }) => space?.id,
    () => drawFrame('keep'),
    signal,
  )
  app.state.watch(({ path }) => path, closeOnPhone, signal)
  followLive(app)
  keepRecent(app)
  addKeys(app, offer)
  takeDrops(app)
  document.documentElement.dataset.ready = ''
  desk = await startDesk(app).catch(() => null)
  deskReady.resolve()
  await bringTheRest(app).catch(() => {})
}

/** What is not needed to begin with, fetched while nobody waits for it. The palette opens at once then. */
async function bringTheRest(app: App): Promise<void> {
  const { keepFocus } = await import('./frame/keep-focus.ts')
  keepFocus(app.signal)
  const { startBlame } = await import('./blame/start-blame.ts')
  startBlame(app)
  await import('./palette.ts')
}

/** The tabs, or this page's part as a pane of another one. */
async function startDesk(app: App): Promise<DeskPart | null> {
  if (!isPane()) return (await import('./desk/desk.ts')).startDesk(app)
  const { startPane } = await import('./desk/start-pane.ts')
  startPane(app)
  return null
}

function openCitation(app: App, { kind, id, cited_text }: Citation): void {
  const { space } = app.state.get()
  const href = space && entityHref(space.slug, kind, id, cited_text)
  if (href) app.navigate(href)
}

async function openPalette(app: App, event?: Event): Promise<void> {
  event?.preventDefault()
  const shown = new AbortController()
  // What is typed until it is there was meant for it; on the page behind, a letter may approve a draft.
  const options = { capture: true, signal: shown.signal }
  window.addEventListener('keydown', (press) => press.stopImmediatePropagation(), options)
  try {
    const { showPalette } = await import('./palette.ts')
    showPalette(app)
  } finally {
    shown.abort()
  }
}

async function showHelp(app: App): Promise<void> {
  const help = await import('./components/help.ts')
  help.showHelp(app.keys.list())
}

async function askToSignIn(): Promise<void> {
  const { showSignIn } = await import('./frame/session-gone.ts')
  showSignIn()
}

function addKeys(app: App, offer: () => HTMLElement | null): void {
  app.keys.add(
    [
      {
        key: 'Mod+k',
        label: 'Search and jump',
        run: () => openPalette(app),
        inFields: true,
        group: 'Everywhere',
      },
      {
        key: 'Escape',
        label: 'Close the navigation',
        run: () => app.toggleNav(false),
        when: () => document.documentElement.dataset.sheet === 'nav',
        group: 'Everywhere',
      },
      {
        key: 'u',
        label: 'Undo, or do what the last message offers',
        run: () => offer()?.click(),
        when: () => offer() !== null,
        group: 'Everywhere',
      },
      { key: '?', label: 'Show the keys', run: () => showHelp(app), group: 'Everywhere' },
      { key: 'c', label: 'Talk to the companion', run: () => focusComposer(app), group: 'Everywhere' },
    ],
    app.signal,
  )
}

function focusComposer(app: App): void {
  app.toggleRail(true)
}

function readPreloaded(): Record<string, unknown> {
  const text = document.querySelector('#preloaded')?.textContent
  return text ? JSON.parse(text) : {}
}

/** Files dropped where nothing else takes them are brought in. */
function takeDrops(app: App): void {
  const isFiles = (event: DragEvent) => !event.defaultPrevented && event.dataTransfer?.types.includes('Files')
  addEventListener('dragover', (event) => isFiles(event) && event.preventDefault())
  addEventListener('drop', (event) => {
    if (!isFiles(event)) return
    event.preventDefault()
    // What a drop carries is gone when its event has ended; only entries last.
    const items = [...event.dataTransfer!.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
    const files = [...event.dataTransfer!.files]
    void import('./settings/drop-anywhere.ts').then(({ importDrop }) => importDrop(app, items, files))
  })
}

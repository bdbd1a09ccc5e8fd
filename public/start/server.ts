// The first paint, made on the server by the same code that draws in the browser. lib/api/web/shell.ts imports this file.

import type { Reader } from '../app/api/api.ts'
import { type App, type AppContext, type AppState, initialState } from '../app/app.ts'
import type { Prefs } from '../app/prefs.ts'
import { errorView, noSpaceView, notFoundView } from '../app/router/open-view.ts'
import { matchRoute, rightAddress } from '../app/router/routes.ts'
import { createStore } from '../app/state.ts'
import { type LoadContext, type OpenView, tabOf } from '../app/view.ts'
import { createCards } from '../drafts/card/cards.ts'
import { renderCapturePage } from '../features/capture/capture-page.ts'
import { type Content, renderContent, renderFrame } from '../frame/frame.ts'
import { loadFrame } from '../frame/load-frame.ts'
import {
  renderConnectProblem,
  renderConsentPage,
  renderPasskeyPage,
  renderSignInPage,
} from '../frame/sign-in-pages.ts'
import type { RailDesk } from '../rail/state/conversation-part.ts'
import { renderPlain } from '../ui/markdown/markdown.ts'
import { areaOf, moduleOf } from './route-modules.ts'
import { loadView } from './views.ts'

export type PaintRequest = {
  url: URL
  api: Reader
  prefs: Prefs
  now: Date
  /** Whether it is shown in the pane beside another page, which has the navigation and the companion. */
  pane?: boolean
}

export type Opened = { status: number; draw(): Promise<Painted> }

export type Painted = {
  status: number
  title: string
  /** Safe HTML of the page's content. */
  html: string
  /** The module of the view, for its chunk to be named in the page. */
  module: string | null
  /** The styles that it needs beside those of every page. */
  area: string | null
}

/** Loads a page. Drawing it asks for nothing more. */
export async function open({ url, api, prefs, now, pane = false }: PaintRequest): Promise<Opened> {
  const match = matchRoute(url.pathname)
  const slug = match?.params.slug ?? null
  const pageId = match?.pattern === '/s/:slug/pages/:id' ? (match.params.id ?? null) : null
  const frame = await loadFrame(api, { slug, pageId, remembered: prefs.space })
  const context: LoadContext = { url, params: match?.params ?? {}, space: frame.space, api, now }
  const { status, view } = await openMatched(context, match)

  const app = createStaticApp(
    { ...frame, ...initialState, path: url.pathname, subject: view.subject, here: tabOf(url, view) },
    { prefs, now, api },
  )
  const { signal } = new AbortController()
  return {
    status,
    async draw() {
      const nodes = view.render({ ...context, app, signal, refresh: async () => {} })
      const content = { layout: view.layout, nodes, right: rightAddress(url) }
      const element = pane ? renderContent(content) : await renderWhole({ app, signal }, content)
      const module = match ? moduleOf[match.pattern] : null
      const area = match ? areaOf(match.pattern, url.searchParams) : null
      return { status, title: view.title, html: element.outerHTML, module, area }
    },
  }
}

async function renderWhole(context: AppContext, content: Content): Promise<HTMLElement> {
  const cards = createCards()
  await cards.ready()
  return renderFrame({ ...context, cards, desk: staticDesk }, content)
}

async function openMatched(
  context: LoadContext,
  match: ReturnType<typeof matchRoute>,
): Promise<{ status: number; view: OpenView }> {
  if (!match) return { status: 404, view: await notFoundView.open(context) }
  if (match.params.slug && !context.space) return { status: 404, view: await noSpaceView.open(context) }
  try {
    const { view } = await loadView[match.pattern]()
    return { status: 200, view: await view.open(context) }
  } catch (error) {
    const status = statusOf(error)
    if (status === 404) return { status, view: await notFoundView.open(context) }
    // The shell logs and answers internal errors.
    if (status === null || status >= 500) throw error
    return { status, view: await errorView(error).open(context) }
  }
}

function statusOf(error: unknown): number | null {
  const status: unknown = error instanceof Error ? Reflect.get(error, 'status') : null
  return typeof status === 'number' ? status : null
}

const staticDesk: RailDesk = { applyEffect: async () => false, openTabs: () => null }

/** An app whose state never changes: views are only rendered to HTML. */
function createStaticApp(
  state: AppState,
  { prefs, now, api }: Pick<PaintRequest, 'prefs' | 'now' | 'api'>,
): App {
  const never = async () => {
    throw new Error('the first paint changes nothing')
  }
  return {
    api: { get: api.get, post: never, put: never, patch: never, delete: never, fetch: never },
    state: createStore(state),
    live: { on: () => {}, begin: () => {}, emit: () => {} },
    keys: { add: () => {}, list: () => [] },
    prefs: createStore(prefs),
    now: () => now,
    navigate: async () => {},
    toast: () => {},
    announce: () => {},
    panels: { openPalette: () => {}, toggleRail: () => {}, toggleNav: () => {} },
  }
}

/** The HTML of the sign-in page. */
export const signInPage = (form: Parameters<typeof renderSignInPage>[0]): string =>
  renderSignInPage(form).outerHTML

/** The HTML of the page that asks for a passkey. */
export const passkeyPage = (): string => renderPasskeyPage().outerHTML

/** The HTML of the page for writing a note. */
export const capturePage = (): string => renderCapturePage().outerHTML

/** The HTML of a Markdown text that is read outside of the app. */
export const sharedText = (markdown: string, slug: string): string =>
  renderPlain(markdown, { slug }).outerHTML

/** The HTML of the page that asks whether a program may connect. */
export const consentPage = (form: Parameters<typeof renderConsentPage>[0]): string =>
  renderConsentPage(form).outerHTML

/** The HTML of the page that says why a program was not connected. */
export const connectProblemPage = (problem: string): string => renderConnectProblem(problem).outerHTML

export { parsePrefs, prefsCookie } from '../app/prefs.ts'

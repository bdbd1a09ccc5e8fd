// The first paint, made on the server by the same code that draws in the browser. lib/web/shell.ts imports this file.

import type { Reader } from './api.ts'
import { type App, type AppState, startState } from './app.ts'
import { createCards } from './card/cards.ts'
import { besideOf } from './desk/beside.ts'
import { el } from './dom.ts'
import { renderContent, renderFrame } from './frame/frame.ts'
import { loadFrame } from './frame/load-frame.ts'
import { hereOf } from './here.ts'
import type { Prefs } from './prefs.ts'
import { matchRoute } from './routes.ts'
import { createStore } from './state.ts'
import type { LoadContext, OpenView } from './view.ts'
import { errorView, noSpaceView, notFoundView } from './views/error.ts'

export type PaintRequest = {
  url: URL
  api: Reader
  prefs: Prefs
  now: Date
  /** Whether it is shown in the pane beside another page, which has the navigation and the companion. */
  pane?: boolean
}

export type Painted = {
  status: number
  title: string
  /** Safe HTML of the page's content. */
  html: string
  /** The module of the view, for its chunk to be named in the page. */
  module: string | null
}

export async function paint({ url, api, prefs, now, pane = false }: PaintRequest): Promise<Painted> {
  const match = matchRoute(url.pathname)
  const slug = match?.params.slug ?? null
  const pageId = match?.route.module === 'views/page.ts' ? (match.params.id ?? null) : null
  const frame = await loadFrame(api, { slug, pageId, remembered: prefs.space })
  const context: LoadContext = { url, params: match?.params ?? {}, space: frame.space, api, now }
  const { status, view } = await openMatched(context, match)

  const cards = createCards()
  await cards.ready()
  const app = createStillApp(
    {
      ...frame,
      ...startState,
      path: url.pathname,
      subject: view.subject,
      here: hereOf(url, view),
    },
    { prefs, now, api, cards },
  )
  const nodes = view.render({ ...context, app, signal: app.signal, refresh: async () => {} })
  const content = { layout: view.layout, nodes, beside: besideOf(url) }
  const element = pane ? renderContent(content) : renderFrame({ app, signal: app.signal }, content)
  return { status, title: view.title, html: element.outerHTML, module: match?.route.module ?? null }
}

async function openMatched(
  context: LoadContext,
  match: ReturnType<typeof matchRoute>,
): Promise<{ status: number; view: OpenView }> {
  if (!match) return { status: 404, view: await notFoundView.open(context) }
  if (match.params.slug && !context.space) return { status: 404, view: await noSpaceView.open(context) }
  try {
    const { view } = await match.route.load()
    return { status: 200, view: await view.open(context) }
  } catch (error) {
    const status = statusOf(error)
    if (status === 404) return { status, view: await notFoundView.open(context) }
    // A failure of ours is the shell's to log and to answer.
    if (status === null || status >= 500) throw error
    return { status, view: await errorView(error).open(context) }
  }
}

function statusOf(error: unknown): number | null {
  const status: unknown = error instanceof Error ? Reflect.get(error, 'status') : null
  return typeof status === 'number' ? status : null
}

/** An app in which nothing happens: what is drawn with it is only written out. */
function createStillApp(
  state: AppState,
  { prefs, now, api, cards }: Pick<PaintRequest, 'prefs' | 'now' | 'api'> & Pick<App, 'cards'>,
): App {
  const never = async () => {
    throw new Error('the first paint changes nothing')
  }
  return {
    api: { get: api.get, post: never, patch: never, delete: never, fetch: never },
    state: createStore(state),
    live: { on: () => {}, tell: () => {} },
    keys: { add: () => {}, list: () => [] },
    prefs: createStore(prefs),
    cards,
    now: () => now,
    navigate: async () => {},
    toast: () => {},
    announce: () => {},
    openCitation: () => {},
    applyEffect: async () => false,
    openDesk: () => null,
    openPalette: () => {},
    toggleRail: () => {},
    toggleNav: () => {},
    signal: new AbortController().signal,
  }
}

/** The sign-in page: no script, so that it works before anything else does. `problem` says why the last try failed. */
export function signInPage({ problem, next }: { problem: string | null; next: string }): string {
  return el(
    'main',
    { class: 'sign-in' },
    el('h1', {}, 'Void'),
    el(
      'form',
      { class: 'stack', method: 'post', action: '/sign-in' },
      el('input', { type: 'hidden', name: 'next', value: next }),
      el('label', { for: 'token', class: 'field-label' }, 'The owner’s token'),
      el('input', {
        class: 'field',
        id: 'token',
        name: 'token',
        type: 'password',
        autocomplete: 'current-password',
        required: true,
        autofocus: true,
        'aria-describedby': problem ? 'problem' : null,
      }),
      problem && el('p', { class: 'problem', id: 'problem', role: 'alert' }, problem),
      el('button', { class: 'button button-primary', type: 'submit' }, 'Sign in'),
    ),
    el(
      'p',
      { class: 'dim' },
      'Void prints a link that signs you in when it starts. The token itself is in the file ',
      el('code', {}, 'owner-token'),
      ' of its data folder.',
    ),
  ).outerHTML
}

export { parsePrefs, prefsCookie } from './prefs.ts'

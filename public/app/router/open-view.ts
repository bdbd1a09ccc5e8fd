import { el } from '../../ui/dom.ts'
import { ApiError, messageOf } from '../api/api.ts'
import type { App } from '../app.ts'
import { defineView, type LoadContext, type OpenView, type View } from '../view.ts'
import type { Pattern, RouteMatch } from './routes.ts'

/** The view of each address; each is a chunk of its own. */
export type LoadView = Readonly<Record<Pattern, () => Promise<{ view: View }>>>

/** Loads the view of a route, or the error view. */
export async function openView(
  match: RouteMatch | null,
  context: LoadContext,
  loadView: LoadView,
): Promise<OpenView> {
  return await (await pickView(match, context, loadView)).open(context).catch((error: unknown) => {
    const missing = error instanceof ApiError && error.status === 404
    return (missing ? notFoundView : errorView(error)).open(context)
  })
}

async function pickView(match: RouteMatch | null, context: LoadContext, loadView: LoadView): Promise<View> {
  if (!match) return notFoundView
  if (match.params.slug && !context.space) return noSpaceView
  try {
    return (await loadView[match.pattern]()).view
  } catch {
    return errorView(
      new ApiError(
        0,
        'not_fetched',
        'This part of the app could not be loaded. Check the connection, then try again.',
      ),
    )
  }
}

/** For an unknown address. */
export const notFoundView: View = defineView({
  load: async () => null,
  title: () => 'Not found',
  render: () =>
    el(
      'section',
      { class: 'empty' },
      el('h1', {}, 'Page not found'),
      el(
        'p',
        {},
        'The address is wrong, or the item was deleted. Deleted items are in the trash of their Space.',
      ),
      el(
        'p',
        {},
        el('a', { href: '/' }, 'Go to your Space'),
        ' or ',
        el('a', { href: '/search' }, 'search for it'),
        '.',
      ),
    ),
})

/** For an address in an unknown Space. */
export const noSpaceView: View = defineView({
  load: async () => null,
  title: () => 'Space not found',
  render: () =>
    el(
      'section',
      { class: 'empty' },
      el('h1', {}, 'Space not found'),
      el(
        'p',
        {},
        'It may have been renamed, or moved to trash. ',
        el('a', { href: '/spaces' }, 'Show all Spaces'),
        '.',
      ),
    ),
})

/** For a view that could not be loaded; the frame around it still works. */
export function errorView(error: unknown): View {
  return defineView({
    load: async () => null,
    title: () => 'Could not load',
    render: (_data, { app, refresh }) =>
      el(
        'section',
        { class: 'empty', role: 'alert' },
        el('h1', {}, 'Could not load this view'),
        el('p', {}, messageOf(error)),
        el('button', { class: 'button', type: 'button', onclick: again(error, app, refresh) }, 'Try again'),
      ),
    mount: (_root, _data, { app, refresh, signal }) => {
      // The server can be reached again.
      app.live.on(({ type }) => type === 'hello' && void again(error, app, refresh)(), signal)
    },
  })
}

// A browser does not request a module again that failed to load, so the page is reloaded, once the server can be
// reached.
const again =
  (error: unknown, { api }: App, refresh: () => Promise<void>) =>
  async () => {
    const reload = error instanceof ApiError && error.code === 'not_fetched'
    const isThere = reload && (await api.fetch('/health', {}).catch(() => null))
    if (isThere) location.reload()
    else await refresh()
  }

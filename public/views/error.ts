import { ApiError, messageOf } from '../api.ts'
import type { App } from '../app.ts'
import { el } from '../dom.ts'
import { defineView, type View } from '../view.ts'

/** For an address there is nothing at. */
export const notFoundView: View = defineView({
  load: async () => null,
  title: () => 'Not found',
  render: () =>
    el(
      'section',
      { class: 'empty' },
      el('h1', {}, 'There is nothing here'),
      el(
        'p',
        {},
        'The address is wrong, or what was here has been deleted. What was deleted waits in the trash of its Space.',
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

/** For an address in a Space that is not there. */
export const noSpaceView: View = defineView({
  load: async () => null,
  title: () => 'No such Space',
  render: () =>
    el(
      'section',
      { class: 'empty' },
      el('h1', {}, 'There is no such Space'),
      el(
        'p',
        {},
        'It may have another name now, or lie in the trash. ',
        el('a', { href: '/spaces' }, 'See all Spaces'),
        '.',
      ),
    ),
})

/** For a view that could not be loaded; what is shown around it still works. */
export function errorView(error: unknown): View {
  return defineView({
    load: async () => null,
    title: () => 'Not loaded',
    render: (_data, { app, refresh }) =>
      el(
        'section',
        { class: 'empty', role: 'alert' },
        el('h1', {}, 'This could not be loaded'),
        el('p', {}, messageOf(error)),
        el('button', { class: 'button', type: 'button', onclick: again(error, app, refresh) }, 'Try again'),
      ),
  })
}

// A module that could not be fetched once is not asked for again in the same page, so the page is loaded anew; while the
// server is away it stays.
const again =
  (error: unknown, { api }: App, refresh: () => Promise<void>) =>
  async () => {
    const reload = error instanceof ApiError && error.code === 'not_fetched'
    const isThere = reload && (await api.fetch('/health', {}).catch(() => null))
    if (isThere) location.reload()
    else await refresh()
  }

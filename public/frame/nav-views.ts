// The saved views of the Space, below its pages in the navigation. Loaded when the browser is idle.

import type { Entity } from '../../lib/contract/entities.ts'
import type { List } from '../../lib/contract/list.ts'
import type { AppContext } from '../app/app.ts'
import { el } from '../ui/dom.ts'
import { rerender } from '../ui/rerender.ts'
import { entityHref, withQuery } from '../ui/words/addresses.ts'

const maxShown = 20

export function startNavViews({ app, signal }: AppContext): void {
  let loaded: { space: string; views: readonly Entity[] } | null = null
  const root = document.querySelector('#app')
  if (!root) return

  // The navigation is drawn anew with the frame around it.
  const observer = new MutationObserver(() => draw())
  observer.observe(root, { childList: true })
  signal.addEventListener('abort', () => observer.disconnect())
  app.live.on((event) => {
    const isView = event.type === 'entity' && event.data.kind === 'page_view'
    if (isView || (event.type === 'hello' && !event.data.resumed)) void load()
  }, signal)
  app.state.watch(
    ({ space }) => space?.id,
    () => load(),
    signal,
  )
  app.state.watch(({ path }) => path, draw, signal)
  void load()

  async function load(): Promise<void> {
    const { space } = app.state.get()
    if (!space) return
    const path = withQuery(`/api/spaces/${space.id}/views`, { sort: 'title', limit: maxShown })
    // Without them the navigation is whole; the next event tries again.
    const list = await app.api.get<List<Entity>>(path).catch(() => null)
    if (!list || signal.aborted) return
    loaded = { space: space.id, views: list.items }
    draw()
  }

  function draw(): void {
    const { space, path } = app.state.get()
    const tree = document.querySelector('.tree')
    if (!tree || !space) return
    const views = loaded?.space === space.id ? loaded.views : []
    let list = tree.querySelector<HTMLElement>('#nav-views')
    if (!list && views.length === 0) return
    if (!list) {
      list = el('ul', { class: 'tree-level', id: 'nav-views', 'aria-label': 'Saved views' })
      tree.append(list)
    }
    rerender(
      list,
      views.map(({ id, title }) => {
        const href = entityHref(space.slug, 'page_view', id)!
        return el(
          'li',
          { class: 'tree-row' },
          el('span', { class: 'tree-leaf' }),
          el(
            'a',
            {
              class: 'tree-link',
              id: `nav-view-${id}`,
              href,
              title,
              'aria-current': path === href ? 'page' : null,
            },
            title,
          ),
        )
      }),
    )
  }
}

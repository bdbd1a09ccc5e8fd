import type { Space } from '../../lib/contract/entities.ts'
import type { LiveEvent } from '../../lib/contract/events/live.ts'
import type { List } from '../../lib/contract/list.ts'
import type { TreePage } from '../../lib/contract/space/pages.ts'
import { loadFavourites } from '../app/actions/favourites.ts'
import { gathered } from '../app/api/live.ts'
import type { App, AppContext } from '../app/app.ts'

/** Keeps the Inbox count, the list of Spaces and the page tree in sync with the server. */
export function syncLiveState({ app, signal }: AppContext): void {
  const { state, api } = app
  const refreshTree = gathered(() => reloadTree(app))
  const refreshFavourites = gathered(() => reloadFavourites(app))
  const refreshSpaces = gathered(async () => {
    const { items } = await api.get<List<Space>>('/api/spaces?limit=200')
    const { space } = state.get()
    const now = items.find(({ id }) => id === space?.id)
    // Its navigation and its companion cannot be shown; the list of Spaces can restore it.
    if (!space || now) {
      state.set({ spaces: items, space: now ?? null })
      if (now) await reloadFavourites(app)
    } else if (location.pathname !== '/spaces') location.assign('/spaces')
    // The list stays, with its offer to undo; the frame around it changes to another Space.
    else {
      const { loadFrame } = await import('./load-frame.ts')
      state.set(await loadFrame(api, { slug: null, pageId: null, remembered: null }))
    }
  })

  app.live.on((event) => {
    if (event.type === 'inbox') state.set({ inbox: event.data.count })
    if (event.type === 'space') refreshSpaces()
    if (concernsTree(event, state.get().space)) {
      refreshTree()
      refreshFavourites()
    }
    if (event.type === 'hello' && !event.data.resumed) {
      refreshSpaces()
      refreshTree()
      api.get<{ count: number }>('/api/inbox').then(
        ({ count }) => state.set({ inbox: count }),
        () => {},
      )
    }
  }, signal)
}

const concernsTree = (event: LiveEvent, space: Space | null) =>
  event.type === 'entity' && event.data.kind === 'page' && event.data.space_id === space?.id

/** Reloads the levels that are loaded. */
async function reloadTree({ api, state }: App): Promise<void> {
  const { space, tree } = state.get()
  if (!space) return
  const base = `/api/spaces/${space.id}/page-tree`
  const parents = [...new Set(tree.flatMap(({ parent_id }) => parent_id ?? []))]
  const levels = await Promise.all(
    ['', ...parents.map((id) => `?below=${id}`)].map((query) => api.get<{ items: TreePage[] }>(base + query)),
  )
  const items = new Map(levels.flatMap((level) => level.items).map((page) => [page.id, page]))
  if (state.get().space?.id === space.id) state.set({ tree: [...items.values()] })
}

async function reloadFavourites({ api, state }: App): Promise<void> {
  const { space } = state.get()
  if (!space) return
  const favourites = await loadFavourites(api, space.id)
  if (state.get().space?.id === space.id) state.set({ favourites })
}

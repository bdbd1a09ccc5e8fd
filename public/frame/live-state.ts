import type { Space } from '../../lib/contract/entities.ts'
import type { LiveEvent } from '../../lib/contract/events/live.ts'
import type { List } from '../../lib/contract/list.ts'
import { reloadFavourites } from '../app/actions/favourites.ts'
import { gathered } from '../app/api/live.ts'
import type { App, AppContext, AppState } from '../app/app.ts'
import { putLevels, reloadLevels } from '../app/tree-levels.ts'
import { leaveFor, pageUrl } from '../ui/address.ts'

/** Keeps the Inbox count, the list of Spaces and the page tree in sync with the server. */
export function syncLiveState({ app, signal }: AppContext): void {
  const { state, api } = app
  const refreshTree = gathered(() => reloadTree(app))
  const refreshContents = gathered(async () => {
    const { space } = state.get()
    if (!space) return
    const { loadContents } = await import('./load-frame.ts')
    const contents = await loadContents(api, space.id)
    const isSame = contents.join() === state.get().contents.join()
    if (!isSame && state.get().space?.id === space.id) state.set({ contents })
  })
  const refreshFavourites = gathered(() => reloadFavourites(app))
  const refreshSpaces = gathered(async () => {
    const { items } = await api.get<List<Space>>('/api/spaces?limit=200')
    const { space } = state.get()
    const now = items.find(({ id }) => id === space?.id)
    // Its navigation and its companion cannot be shown; the list of Spaces can restore it.
    if (!space || now) {
      state.set({ spaces: items, space: now ?? null })
      if (now) await reloadFavourites(app)
    } else if (pageUrl().pathname !== '/spaces') leaveFor('/spaces')
    // The list stays, with its offer to undo; the frame around it changes to another Space.
    else {
      const { loadFrame } = await import('./load-frame.ts')
      state.set(await loadFrame(api, { slug: null, pageId: null, remembered: null }))
    }
  })

  app.live.on((event) => {
    if (event.type === 'inbox') state.set({ inbox: event.data.count })
    if (event.type === 'space') refreshSpaces()
    if (mayAddKind(event, state.get())) refreshContents()
    if (concernsTree(event, state.get().space)) {
      refreshTree()
      refreshFavourites()
    }
    if (event.type === 'hello' && !event.data.resumed) {
      refreshSpaces()
      refreshTree()
      refreshContents()
      api.get<{ count: number }>('/api/inbox').then(
        ({ count }) => state.set({ inbox: count }),
        () => {},
      )
    }
  }, signal)
}

/** Whether something of a kind came to the Space that it held nothing of, or the last one may have gone. */
const mayAddKind = (event: LiveEvent, { space, contents }: AppState) =>
  event.type === 'entity' &&
  event.data.space_id === space?.id &&
  (!contents.includes(event.data.kind) || event.data.action === 'delete')

const concernsTree = (event: LiveEvent, space: Space | null) =>
  event.type === 'entity' && event.data.kind === 'page' && event.data.space_id === space?.id

async function reloadTree({ api, state }: App): Promise<void> {
  const { space, tree } = state.get()
  if (!space) return
  const levels = await reloadLevels(api, space.id, tree)
  if (state.get().space?.id === space.id)
    state.set(({ tree: now }) => ({ tree: putLevels(now, levels, { isNewer: true }) }))
}

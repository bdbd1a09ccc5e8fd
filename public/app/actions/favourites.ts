import type { Space } from '../../../lib/contract/entities.ts'
import type { Favourite } from '../../../lib/contract/space/home.ts'
import type { Reader } from '../api/api.ts'
import type { App } from '../app.ts'

export const isFavourite = ({ state }: App, id: string): boolean =>
  state.get().favourites.some((page) => page.id === id)

/** Loaded with the first change of them. */
const change = () => import('./change-favourites.ts')

/** Adds a page to the favourites of its Space, or removes it. */
export const toggleFavourite = async (app: App, space: Space, page: Favourite): Promise<void> =>
  (await change()).toggleFavourite(app, space, page)

/** Puts a favourite at another place among them; one that is new is added there. */
export const moveFavourite = async (app: App, page: Favourite, to: number): Promise<void> =>
  (await change()).moveFavourite(app, page, to)

/** The pages that are kept at hand. */
export async function loadFavourites(api: Reader, spaceId: string): Promise<Favourite[]> {
  return (await api.get<{ items: Favourite[] }>(`/api/spaces/${spaceId}/favourites`)).items
}

/**
 * Loads the favourites of the Space in use again, after a change somewhere. An answer that may be older than what was changed
 * here meanwhile is dropped: the answer to the last save has them all.
 */
export async function reloadFavourites({ api, state }: App): Promise<void> {
  const { space, favourites: before } = state.get()
  if (!space) return
  const favourites = await loadFavourites(api, space.id)
  const now = state.get()
  if (now.space?.id === space.id && now.favouriteSaves === 0 && now.favourites === before)
    state.set({ favourites })
}

// Changes of the favourites of a Space, which are shown at once.

import type { Space } from '../../../lib/contract/entities.ts'
import { maxFavourites } from '../../../lib/contract/limits.ts'
import type { Favourite } from '../../../lib/contract/space/home.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { messageOf } from '../api/api.ts'
import type { App } from '../app.ts'

/** Adds a page to the favourites of its Space, or removes it. */
export async function toggleFavourite(app: App, space: Space, page: Favourite): Promise<void> {
  const { favourites } = app.state.get()
  const others = favourites.filter(({ id }) => id !== page.id)
  const isThere = others.length < favourites.length
  if (!isThere && others.length >= maxFavourites)
    return app.toast(`A Space has at most ${maxFavourites} favourites.`, { tone: 'problem' })
  await setFavourites(app, space, isThere ? others : [...others, page])
  if (isThere) app.announce(`Removed ${quoteShown(page.title)} from favourites.`)
  else app.announce(`Added ${quoteShown(page.title)} to favourites.`)
}

/** Makes these the favourites of the Space in use: shown at once, and as they were if it fails. */
async function setFavourites({ api, state, toast }: App, space: Space, pages: Favourite[]): Promise<void> {
  const before = state.get().favourites
  state.set({ favourites: pages, favouriteSaves: state.get().favouriteSaves + 1 })
  const path = `/api/spaces/${space.id}/favourites`
  try {
    const { items } = await api.put<{ items: Favourite[] }>(path, { page_ids: pages.map(({ id }) => id) })
    endSave(state.get().favouriteSaves === 1 ? items : null)
  } catch (error) {
    endSave(before)
    toast(messageOf(error), { tone: 'problem' })
  }

  function endSave(favourites: Favourite[] | null): void {
    const { space: current, favouriteSaves } = state.get()
    const shown = favourites && current?.id === space.id ? { favourites } : {}
    state.set({ favouriteSaves: favouriteSaves - 1, ...shown })
  }
}

/** Puts a favourite at another place among them; one that is new is added there. */
export async function moveFavourite(app: App, page: Favourite, to: number): Promise<void> {
  const { favourites, space } = app.state.get()
  const others = favourites.filter(({ id }) => id !== page.id)
  if (!space || to < 0 || to > others.length || others.length >= maxFavourites) return
  await setFavourites(app, space, others.toSpliced(to, 0, page))
}

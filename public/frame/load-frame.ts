import type { CompanionState } from '../../lib/contract/companion/companion.ts'
import type { Space } from '../../lib/contract/entities.ts'
import type { List } from '../../lib/contract/list.ts'
import { loadFavourites } from '../app/actions/favourites.ts'
import type { Reader } from '../app/api/api.ts'
import type { App, AppState } from '../app/app.ts'
import { loadLevels, putLevels } from '../app/tree-levels.ts'

export type FrameRequest = {
  /** The Space of the address, where it names one. */
  slug: string | null
  /** The page that is open: the tree opens down to it. */
  pageId: string | null
  /** The Space to fall back on. */
  remembered: string | null
}

export type FrameData = Pick<
  AppState,
  'spaces' | 'space' | 'tree' | 'favourites' | 'contents' | 'inbox' | 'companion'
>

/** The data around every view. `space` is null when the URL names one that does not exist, or there is none. */
export async function loadFrame(api: Reader, { slug, pageId, remembered }: FrameRequest): Promise<FrameData> {
  const [{ items: spaces }, { count: inbox }] = await Promise.all([
    api.get<List<Space>>('/api/spaces?limit=200'),
    api.get<{ count: number }>('/api/inbox'),
  ])
  const bySlug = (name: string | null) => spaces.find((space) => space.slug === name)
  const space = slug === null ? (bySlug(remembered) ?? spaces[0] ?? null) : (bySlug(slug) ?? null)
  if (!space) return { spaces, space, inbox, tree: [], favourites: [], contents: [], companion: null }
  const [tree, favourites, contents, companion] = await Promise.all([
    loadLevels(api, space.id, { open: isUuid(pageId) ? pageId : null }),
    loadFavourites(api, space.id),
    loadContents(api, space.id),
    api.get<CompanionState>(`/api/spaces/${space.id}/companion`),
  ])
  return { spaces, space, inbox, tree, favourites, contents, companion }
}

/** What the Space holds anything of; the navigation shows no more. */
export const loadContents = async (api: Reader, spaceId: string): Promise<string[]> =>
  (await api.get<{ items: string[] }>(`/api/spaces/${spaceId}/contents`)).items

const isUuid = (id: string | null) => id !== null && /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(id)

/** Makes a Space the one of navigation and rail; `null` when there is none of that name. */
export async function loadSpace(
  { api, prefs, state }: App,
  target: { slug: string | null; pageId: string | null },
): Promise<Space | null> {
  const frame = await loadFrame(api, { ...target, remembered: prefs.get().space })
  if (target.slug !== null && !frame.space) return null
  state.set(frame)
  if (frame.space) prefs.set({ space: frame.space.slug })
  return frame.space
}

/** Loads the levels of the tree down to a page. */
export async function openTree({ api, state }: App, space: Space, pageId: string): Promise<void> {
  const levels = await loadLevels(api, space.id, { open: pageId }).catch(() => [])
  if (state.get().space?.id === space.id) state.set(({ tree }) => ({ tree: putLevels(tree, levels) }))
}

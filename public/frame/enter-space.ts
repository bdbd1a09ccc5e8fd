import type { Space } from '../../lib/contract/entities/entities.ts'
import type { App } from '../app/app.ts'
import type { RouteMatch } from '../routes.ts'
import { loadFrame, loadTree } from './load-frame.ts'

/**
 * Makes the Space of an address the one of navigation and rail, and opens the tree down to its page. Resolves to the
 * Space; for an address without one, to the one that is there. `null` when there is none of that name.
 */
export async function enterSpace(app: App, match: RouteMatch | null): Promise<Space | null> {
  const { space, spaces } = app.state.get()
  const slug = match?.params.slug ?? null
  const pageId = match?.route.module === 'views/page.ts' ? (match.params.id ?? null) : null
  if (space && spaces.length > 0 && (slug === null || slug === space.slug)) {
    if (pageId) await openTree(app, space, pageId)
    return space
  }

  const frame = await loadFrame(app.api, { slug, pageId, remembered: app.prefs.get().space })
  if (slug !== null && !frame.space) return null
  app.state.set(frame)
  if (frame.space) app.prefs.set({ space: frame.space.slug })
  return frame.space
}

async function openTree({ api, state }: App, space: Space, pageId: string): Promise<void> {
  if (state.get().tree.some(({ id }) => id === pageId)) return
  const path = await loadTree(api, space.id, pageId).catch(() => [])
  const parents = new Set(path.map(({ parent_id }) => parent_id))
  state.set(({ tree }) => ({ tree: [...path, ...tree.filter(({ parent_id }) => !parents.has(parent_id))] }))
}

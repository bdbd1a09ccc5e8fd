import type { Space } from '../../lib/contract/entities.ts'
import type { App } from '../app/app.ts'
import type { RouteMatch } from '../app/router/routes.ts'
import { revealed } from '../app/tree-levels.ts'

/**
 * Makes the Space of an address the one of navigation and rail, and opens the tree down to its page. Resolves to the
 * Space; for an address without one, to the one that is there. `null` when there is none of that name. What the server
 * painted needs none of the code for it.
 */
export async function enterSpace(app: App, match: RouteMatch | null): Promise<Space | null> {
  const { space, spaces, tree } = app.state.get()
  const slug = match?.params.slug ?? null
  const pageId = match?.pattern === '/s/:slug/pages/:id' ? (match.params.id ?? null) : null
  const isHere = space !== null && spaces.length > 0 && (slug === null || slug === space.slug)
  if (isHere && (!pageId || revealed(tree, pageId))) return space
  const { loadSpace, openTree } = await import('./load-frame.ts')
  if (!isHere) return await loadSpace(app, { slug, pageId })
  if (pageId) await openTree(app, space, pageId)
  return space
}

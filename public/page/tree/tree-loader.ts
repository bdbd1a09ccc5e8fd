import type { TreePage } from '../../../lib/contract/space/pages.ts'
import type { ViewContext } from '../../app/view.ts'
import type { PageLevels } from './page-levels.ts'

/** Live events within this time are one reload. */
const flushDelayMs = 150

/** Loads levels of the tree, and reloads the loaded ones when pages change elsewhere. `onReload` draws them. */
export function createTreeLoader(
  levels: PageLevels,
  onReload: () => void,
  { app, space, signal }: ViewContext,
) {
  let gathering = false
  app.live.on((event) => {
    const missed = event.type === 'hello' && !event.data.resumed
    const isPage = event.type === 'entity' && event.data.kind === 'page' && event.data.space_id === space!.id
    if (missed || isPage) gather()
  }, signal)

  return {
    reload,
    /** Loads the level below a page, once. */
    async load(parentId: string): Promise<void> {
      if (!levels.level(parentId)) levels.setLevel(parentId, await readLevel(parentId))
    },
  }

  async function reload(): Promise<void> {
    await Promise.all(
      levels.loaded().map(async (parentId) => {
        levels.setLevel(parentId, await readLevel(parentId))
      }),
    )
    if (!signal.aborted) onReload()
  }

  async function readLevel(parentId: string | null): Promise<TreePage[]> {
    const query = parentId ? `?below=${parentId}` : ''
    const path = `/api/spaces/${space!.id}/page-tree${query}`
    return (await app.api.get<{ items: TreePage[] }>(path)).items
  }

  function gather(): void {
    if (gathering) return
    gathering = true
    setTimeout(() => {
      gathering = false
      reload().catch(() => {})
    }, flushDelayMs)
  }
}

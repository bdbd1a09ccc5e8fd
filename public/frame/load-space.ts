import type { Space } from '../../lib/contract/entities.ts'
import type { App } from '../app/app.ts'
import { loadFrame, loadTree } from './load-frame.ts'

/** Makes a Space the one of navigation and rail; `null` when there is none of that name. */
export async function loadSpace(
  { api, prefs, state }: App,
  wanted: { slug: string | null; pageId: string | null },
): Promise<Space | null> {
  const frame = await loadFrame(api, { ...wanted, remembered: prefs.get().space })
  if (wanted.slug !== null && !frame.space) return null
  state.set(frame)
  if (frame.space) prefs.set({ space: frame.space.slug })
  return frame.space
}

/** Opens the tree of the Space down to a page. */
export async function openTree({ api, state }: App, space: Space, pageId: string): Promise<void> {
  const path = await loadTree(api, space.id, pageId).catch(() => [])
  const parents = new Set(path.map(({ parent_id }) => parent_id))
  state.set(({ tree }) => ({ tree: [...path, ...tree.filter(({ parent_id }) => !parents.has(parent_id))] }))
}

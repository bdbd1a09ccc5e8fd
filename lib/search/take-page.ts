import { keyOf } from './fuse.ts'
import type { Picked } from './pick-passages.ts'

/** Depth of the ranking for pages after the first. */
const depths = [200, 1000]

/** Maximum results of all pages together. */
export const maxResults = 1000

export type Page = {
  items: Picked[]
  /** True if there are further results. */
  more: boolean
}

/**
 * A page of results. The first is that of `rank(limit + 1)`. A deeper ranking may examine more candidates and order
 * them differently, so later pages contain its additional results, in its order: as long as nothing is written, pages
 * neither repeat nor skip results.
 */
export async function takePage(
  rank: (depth: number) => Promise<Picked[]>,
  { offset, limit, by_entity }: { offset: number; limit: number; by_entity: boolean },
): Promise<Page> {
  const nameOf = ({ chunk }: Picked) => (by_entity ? chunk.entity_id : keyOf(chunk))
  const end = Math.min(offset + limit, maxResults)
  const first = await rank(limit + 1)
  const firstByName = new Map(first.map((each) => [nameOf(each), each]))
  for (const depth of offset > 0 ? depths : []) {
    if (firstByName.size > end) break
    for (const each of await rank(depth))
      if (!firstByName.has(nameOf(each))) firstByName.set(nameOf(each), each)
  }
  return {
    items: [...firstByName.values()].slice(offset, end),
    more: firstByName.size > end && end < maxResults,
  }
}

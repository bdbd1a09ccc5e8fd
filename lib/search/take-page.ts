import { keyOf } from './fuse.ts'
import type { Picked } from './pick-passages.ts'

/** How deep a ranking is looked into for a page after the first. */
const depths = [200, 1000]

/** The most results that pages of one answer hold together. */
export const maxResults = 1000

export type Page = {
  items: Picked[]
  /** Whether others follow. */
  more: boolean
}

/**
 * A page of an answer. The first is of `rank(limit + 1)`. A deeper ranking may look at more candidates and order them in
 * another way, so what follows is what it has besides, in its order: as long as nothing is written, no page repeats
 * what another has, and none is left out between two.
 */
export async function takePage(
  rank: (depth: number) => Promise<Picked[]>,
  { offset, limit, by_entity }: { offset: number; limit: number; by_entity: boolean },
): Promise<Page> {
  const nameOf = ({ chunk }: Picked) => (by_entity ? chunk.entity_id : keyOf(chunk))
  const end = Math.min(offset + limit, maxResults)
  const first = await rank(limit + 1)
  const found = new Map(first.map((each) => [nameOf(each), each]))
  for (const depth of offset > 0 ? depths : []) {
    if (found.size > end) break
    for (const each of await rank(depth)) if (!found.has(nameOf(each))) found.set(nameOf(each), each)
  }
  return { items: [...found.values()].slice(offset, end), more: found.size > end && end < maxResults }
}

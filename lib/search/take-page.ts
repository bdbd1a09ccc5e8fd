import type { FoundChunk } from '../db/repos/chunk_rankings.ts'
import { keyOf } from './fuse.ts'

/** How deep a ranking is looked into for a page after the first. */
const depths = [200, 1000]

/** The most passages that pages of one answer hold together. */
export const maxResults = 1000

/**
 * A page of an answer. The first is `rank(limit)`. A deeper ranking may look at more candidates and order them in
 * another way, so what follows is what it has besides, in its order: as long as nothing is written, no page repeats
 * what another has, and none is left out between two.
 */
export async function takePage(
  rank: (depth: number) => Promise<FoundChunk[]>,
  { offset, limit }: { offset: number; limit: number },
): Promise<FoundChunk[]> {
  const end = Math.min(offset + limit, maxResults)
  const found = new Map((await rank(limit)).map((chunk) => [keyOf(chunk), chunk]))
  for (const depth of offset > 0 ? depths : []) {
    if (found.size >= end) break
    for (const chunk of await rank(depth)) if (!found.has(keyOf(chunk))) found.set(keyOf(chunk), chunk)
  }
  return [...found.values()].slice(offset, end)
}

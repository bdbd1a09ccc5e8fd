import type { Queryable } from '../db/pool.ts'
import { type FoundChunk, rankLinked, type Scope } from '../db/repos/chunk_rankings.ts'

/** Entities, the best, whose links are followed. */
const maxSources = 5
const maxTargets = 5

/**
 * One hop: what the best of a ranking link to moves up in it, or comes in where it was not found itself. The order is
 * by score again.
 */
export async function followLinks(
  db: Queryable,
  scope: Scope,
  { vector, ranked }: { vector: string; ranked: readonly FoundChunk[] },
): Promise<FoundChunk[]> {
  const best = new Map<string, number>()
  for (const { entity_type, entity_id, score } of ranked) {
    if (best.size === maxSources) break
    // Has no links, and keeps out no page that has.
    if (entity_type === 'conversation') continue
    if (!best.has(entity_id)) best.set(entity_id, score)
  }
  if (best.size === 0) return [...ranked]

  const ids = [...best.keys()]
  const linked = await rankLinked(
    db,
    { ...scope, limit: maxTargets },
    { vector, ids, scores: [...best.values()] },
  )
  if (linked.length === 0) return [...ranked]
  return addLinked(ranked, linked)
}

function addLinked(
  ranked: readonly FoundChunk[],
  linked: Awaited<ReturnType<typeof rankLinked>>,
): FoundChunk[] {
  const all = [...ranked]
  for (const { own, ...passage } of linked) {
    const at = all.findIndex(({ entity_id }) => entity_id === passage.entity_id)
    if (at === -1) all.push({ ...passage, score: own + passage.score })
    else all[at] = { ...all[at]!, score: all[at]!.score + passage.score }
  }
  return all.sort((a, b) => b.score - a.score)
}

// BM25 sets the length of a passage against the average. One average serves for notes and for books, but a Space of
// messages or of one-line questions is ranked better by its own, so a Space gets that when it has drifted far enough.

import type { Queryable } from '../db/pool.ts'
import { listAverageLengths, storeAverageLength } from '../db/repos/chunks.ts'
import type { TermCounts } from './term-counts.ts'

/** Fewer passages say little about what will come, and are ranked well enough without. */
const minPassages = 50

/**
 * Adopts for each Space what its passages counted so far are long on average, where that is twice what they are weighed
 * for or half of it. Whether one was: then its passages have to be indexed again.
 */
export async function adoptAverageLengths(
  db: Queryable,
  spaces: ReadonlyMap<string, TermCounts>,
): Promise<boolean> {
  const counted = [...spaces].filter(([, { chunks }]) => chunks >= minPassages)
  if (counted.length === 0) return false
  const known = await listAverageLengths(
    db,
    counted.map(([id]) => id),
  )
  const drifted = counted.flatMap(([id, { length, chunks }]) => {
    const average = Math.max(1, Math.round(length / chunks))
    const before = known.get(id)
    return before && (average >= before * 2 || average <= before / 2) ? [{ id, average }] : []
  })
  for (const { id, average } of drifted) await storeAverageLength(db, id, average)
  return drifted.length > 0
}

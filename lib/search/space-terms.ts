import type { Database, Queryable } from '../db/pool.ts'
import { analyseQuestion } from '../db/repos/chunk_rankings.ts'
import { listAverageLengths, type RemovedChunk, storeAverageLength } from '../db/repos/chunks.ts'
import type { Language } from './languages.ts'
import { createTermCounts, type TermCounts } from './term-counts.ts'

export type SpaceTerms = ReturnType<typeof createSpaceTerms>

/** Term counts of every Space searched so far, kept in memory. */
export function createSpaceTerms(db: Database, languages: readonly Language[]) {
  const spaces = new Map<string, TermCounts>()

  function countsOf(spaceId: string): TermCounts {
    const counts = spaces.get(spaceId) ?? createTermCounts(spaceId)
    spaces.set(spaceId, counts)
    return counts
  }

  return {
    /**
     * The words' lexemes and the Spaces' current counts; Spaces without passages are absent. `stored` covers all
     * Spaces.
     */
    async analyse(words: readonly string[], spaceIds: readonly string[]) {
      const question = { words: words.join(' '), languages }
      const { lexemes, revisions, stored } = await analyseQuestion(db, question, spaceIds)
      for (const { space_id, revision } of revisions) await countsOf(space_id).sync(db, revision)
      return { lexemes, counts: revisions.map(({ space_id }) => countsOf(space_id)), stored }
    },

    /** Subtracts deleted passages. */
    forget(removed: readonly RemovedChunk[]): void {
      for (const chunk of removed) countsOf(chunk.space_id).forget([chunk])
    },

    /** See average-lengths.ts. */
    adoptAverageLengths: (): Promise<boolean> => adoptAverageLengths(db, spaces),
  }
}

// BM25 sets a passage's length against the average. One average serves for notes and for books, but a Space of messages
// or of one-line questions is ranked better by its own, so a Space gets one when it has drifted far enough.

/** Fewer passages are not representative, and rank well enough with the default. */
const minPassages = 50

/**
 * Adopts each Space's measured average length if it is at least twice or at most half the one in use. True if any was
 * adopted: its passages then have to be indexed again.
 */
async function adoptAverageLengths(db: Queryable, spaces: ReadonlyMap<string, TermCounts>): Promise<boolean> {
  const counted = [...spaces].filter(([, { chunks }]) => chunks >= minPassages)
  if (counted.length === 0) return false
  const averages = await listAverageLengths(
    db,
    counted.map(([id]) => id),
  )
  const drifted = counted.flatMap(([id, { length, chunks }]) => {
    const average = Math.max(1, Math.round(length / chunks))
    const before = averages.get(id)
    return before && (average >= before * 2 || average <= before / 2) ? [{ id, average }] : []
  })
  for (const { id, average } of drifted) await storeAverageLength(db, id, average)
  return drifted.length > 0
}

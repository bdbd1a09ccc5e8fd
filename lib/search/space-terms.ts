import type { Database } from '../db/pool.ts'
import { analyseQuestion } from '../db/repos/chunk_rankings.ts'
import type { RemovedChunk } from '../db/repos/chunks.ts'
import { adoptAverageLengths } from './average-lengths.ts'
import type { Language } from './languages.ts'
import { createTermCounts, type TermCounts } from './term-counts.ts'

export type SpaceTerms = ReturnType<typeof createSpaceTerms>

/** The term counts of every Space that was searched, kept in memory. */
export function createSpaceTerms(db: Database, languages: readonly Language[]) {
  const spaces = new Map<string, TermCounts>()

  function countsOf(spaceId: string): TermCounts {
    const counts = spaces.get(spaceId) ?? createTermCounts(spaceId)
    spaces.set(spaceId, counts)
    return counts
  }

  return {
    /** The lexemes of words, and the counts of the Spaces, up to date; none of a Space without passages. `stored` is of all Spaces. */
    async analyse(words: readonly string[], spaceIds: readonly string[]) {
      const question = { words: words.join(' '), languages }
      const { lexemes, revisions, stored } = await analyseQuestion(db, question, spaceIds)
      for (const { space_id, revision } of revisions) await countsOf(space_id).sync(db, revision)
      return { lexemes, counts: revisions.map(({ space_id }) => countsOf(space_id)), stored }
    },

    /** Subtracts passages that were deleted. */
    forget(removed: readonly RemovedChunk[]): void {
      for (const chunk of removed) countsOf(chunk.space_id).forget([chunk])
    },

    /** See average-lengths.ts. */
    adoptAverageLengths: (): Promise<boolean> => adoptAverageLengths(db, spaces),
  }
}

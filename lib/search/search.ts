// Full-text search over everything a Space holds. Writing: a text becomes passages (chunk.ts) and each passage its
// words (words.ts), stems and BM25 vector (in SQL). Asking: the question's lexemes are weighed by how rare they are
// (term-counts.ts), which gives a vector and a set of candidates (query-plan.ts); Postgres ranks.

import type { Passage } from '../ai/agent/services.ts'
import type { Queryable } from '../db/pool.ts'
import {
  analyseQuestion,
  deleteChunks,
  findByTitle,
  type RemovedChunk,
  vacuumChunks,
} from '../db/repos/chunks.ts'
import { indexDocument, type SearchDocument } from './index-document.ts'
import { planQuery } from './query-plan.ts'
import { parseQuestion } from './question.ts'
import { perEntity, pickPassages, rankPassages } from './rank-passages.ts'
import { createTermCounts, type TermCounts } from './term-counts.ts'

export type { SearchDocument } from './index-document.ts'

export type SearchQuery = {
  space_ids: readonly string[]
  q: string
  /** Entity types; left out: all. */
  kinds?: readonly string[] | undefined
  /** Passages, 1 to 100; left out: 8. */
  limit?: number | undefined
  /** Passages of one entity; left out: 3. */
  per_entity?: number | undefined
}

/** A passage and the lines of the indexed text where it stands, 1-based and inclusive. */
export type SearchHit = Passage & { start_line: number; end_line: number }

export type Search = {
  /** Replaces the passages of an entity, in the caller's transaction. About 2 ms a passage. */
  index(tx: Queryable, document: SearchDocument): Promise<void>
  remove(tx: Queryable, entityId: string): Promise<void>
  /**
   * Best first, at most three passages of one entity, only from the Spaces named. Any string is a question; one that
   * holds nothing to look for finds nothing. Not to be called inside a transaction.
   */
  query(request: SearchQuery): Promise<SearchHit[]>
  /** Counts the terms of Spaces before a question needs them: 40 ms for 1,000 passages. */
  warm(spaceIds: readonly string[]): Promise<void>
  /** Reclaims space and renews statistics, where the engine doesn't by itself; after an import, or nightly. */
  maintain(): Promise<void>
}

/** Keeps the counts of terms in memory: make one for a process. */
export function createSearch({ db }: { db: Queryable }): Search {
  const spaces = new Map<string, TermCounts>()

  function countsOf(spaceId: string): TermCounts {
    const counts = spaces.get(spaceId) ?? createTermCounts(spaceId)
    spaces.set(spaceId, counts)
    return counts
  }

  function forget(removed: readonly RemovedChunk[]) {
    for (const chunk of removed) countsOf(chunk.space_id).forget([chunk])
  }

  async function analyse(words: readonly string[], spaceIds: readonly string[]) {
    const { lexemes, revisions } = await analyseQuestion(db, words.join(' '), spaceIds)
    for (const { space_id, revision } of revisions) await countsOf(space_id).sync(db, revision)
    return { lexemes, counts: revisions.map(({ space_id }) => countsOf(space_id)) }
  }

  return {
    async index(tx, document) {
      forget(await indexDocument(tx, document))
    },
    async remove(tx, entityId) {
      forget(await deleteChunks(tx, entityId))
    },
    async query({ space_ids, q, kinds = null, limit = 8, per_entity = perEntity }) {
      const question = parseQuestion(q)
      if (question.text === '') return []
      const { lexemes, counts } = await analyse(question.words, space_ids)
      if (counts.length === 0) return []

      const wanted = Math.min(100, Math.max(1, Math.trunc(limit)))
      const scope = { space_ids, kinds, limit: wanted, per_entity }
      const plan = planQuery(lexemes, counts)
      const ranked = plan ? await rankPassages(db, scope, { question, plan }) : []
      const titled = ranked.length < wanted ? await findByTitle(db, scope, question.text) : []
      return pickPassages([...ranked, ...titled], scope)
    },
    async warm(spaceIds) {
      await analyse([], spaceIds)
    },
    maintain: () => vacuumChunks(db),
  }
}

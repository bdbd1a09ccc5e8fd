// Full-text search over a Space's content. Writing: a text becomes passages (core/text/chunk.ts) and each passage its words
// (words.ts), stems (in SQL) and BM25 vector (bm25.ts). Reading: the question's lexemes are weighed by rarity
// (term-counts.ts), which gives a vector and a set of candidates (query-plan.ts); Postgres ranks, and links count
// (rank-passages.ts). find.ts puts a page of results together.

import type { Passage, SearchItem } from '../contract/space/search.ts'
import type { Database, Queryable } from '../db/pool.ts'
import type { FoundChunk } from '../db/repos/chunk_rankings.ts'
import {
  type Analysis,
  deleteChunks,
  everyPassage,
  type RemovedChunk,
  vacuumChunks,
} from '../db/repos/chunks.ts'
import { type FindDeps, find, ownLanguages, type SearchQuery } from './find.ts'
import {
  cutDocument,
  deferDocument,
  indexDocument,
  indexRange,
  type SearchDocument,
} from './index-document.ts'
import { analysisOf } from './languages.ts'
import { isDataFile, type Picked } from './pick-passages.ts'
import { createExcerpts } from './snippet.ts'
import { createSpaceTerms } from './term-counts.ts'

/** A passage and its lines in the indexed text, 1-based and inclusive. */
type SearchHit = Passage & { space_id: string; start_line: number; end_line: number }

type ShownPage = {
  items: SearchItem[]
  /** True if there are further results. */
  more: boolean
  /** Quoted phrases that stand nowhere; the results have their words. */
  missing: string[]
}

export type Search = {
  /** Version of the analysis that produces its passages. */
  readonly analysis: string
  /** Replaces an entity's passages, in the caller's transaction. About 2 ms per passage. */
  index(tx: Queryable, document: SearchDocument): Promise<void>
  /**
   * Defers a long document to the background job; until then the previous version is searchable, or the beginning of a
   * new one.
   */
  defer(tx: Queryable, document: SearchDocument & { text: string }): Promise<void>
  /** Like `index`, in short transactions of its own. Returns false if `isCurrent`, called in each, returns false. */
  indexInParts(document: SearchDocument, isCurrent: (tx: Queryable) => Promise<boolean>): Promise<boolean>
  remove(tx: Queryable, entityId: string): Promise<void>
  /**
   * Best first, at most three passages per entity, only from the given Spaces. Conversations come last unless types are
   * given. Any string is a valid question; one without searchable words has no results. Do not call inside a
   * transaction.
   */
  query(request: SearchQuery): Promise<SearchHit[]>
  /** Like `query`, with a snippet of about this many characters for each result. */
  show(request: SearchQuery, length: number): Promise<ShownPage>
  /** Counts Spaces' terms ahead of the first question: 40 ms for 1,000 passages. */
  warm(spaceIds: readonly string[]): Promise<void>
  /** See average-lengths.ts: true if passages of the searched Spaces have to be indexed again. */
  adoptAverageLengths(): Promise<boolean>
  /** Reclaims space and renews statistics, if the engine doesn't do so itself; after an import, or nightly. */
  maintain(): Promise<void>
}

/** Keeps term counts in memory: create one per process. */
export function createSearch(deps: FindDeps): Search {
  const { db, languages = ownLanguages } = deps
  const terms = createSpaceTerms(db, languages)
  const analysis = { name: analysisOf(languages), languages }

  return {
    analysis: analysis.name,
    async index(tx, document) {
      terms.forget(await indexDocument(tx, document, analysis))
    },
    async defer(tx, document) {
      terms.forget(await deferDocument(tx, document, analysis))
    },
    indexInParts: (document, isCurrent) =>
      indexInParts(db, { document, analysis, isCurrent, onRemoved: terms.forget }),
    async remove(tx, entityId) {
      terms.forget(await deleteChunks(tx, entityId))
    },
    async query(request) {
      return (await find(deps, terms, request)).items.map(({ chunk }) => chunk)
    },
    async show(request, length) {
      const { items, words, more, missing } = await find(deps, terms, request)
      const excerpt = createExcerpts(words, length)
      const excerptOf = (chunk: FoundChunk) =>
        isDataFile(chunk) ? { snippet: [], cite: '' } : excerpt(chunk.text)
      const toOther = (chunk: FoundChunk) => {
        const { ordinal, heading_path, score, start_line, end_line } = chunk
        return { ordinal, heading_path, score, start_line, end_line, ...excerptOf(chunk) }
      }
      const toItem = ({ chunk, others, same }: Picked) => ({
        ...chunk,
        ...excerptOf(chunk),
        others: isDataFile(chunk) ? [] : others.map(toOther),
        same: same.map(({ entity_type, entity_id, title }) => ({ entity_type, entity_id, title })),
      })
      return { items: items.map(toItem), more, missing }
    },
    async warm(spaceIds) {
      await terms.analyse([], spaceIds)
    },
    adoptAverageLengths: terms.adoptAverageLengths,
    maintain: () => vacuumChunks(db),
  }
}

/** Passages per transaction: about 50 ms. */
const passagesPerPart = 20

type PartsOptions = {
  document: SearchDocument
  analysis: Analysis
  /** True if the stored text still matches the document; locks it until the transaction ends. */
  isCurrent: (tx: Queryable) => Promise<boolean>
  onRemoved: (removed: readonly RemovedChunk[]) => void
}

/**
 * Like `indexDocument`, a few passages per transaction, so that other work can run in between. The first passage, which
 * marks the entity's analysis version, is written last. Returns false if the document changed meanwhile: start again.
 * Throws a 507 once the disk is full.
 */
async function indexInParts(database: Database, options: PartsOptions): Promise<boolean> {
  const { document, analysis, isCurrent, onRemoved } = options
  const cut = cutDocument(document)
  let to = everyPassage.to
  for (let from = cut.passages.length; to > 0; from -= passagesPerPart) {
    await database.checkRoom()
    const range = { from: Math.max(0, from), to }
    const removed = await database.transaction(async (tx) =>
      (await isCurrent(tx)) ? await indexRange(tx, cut, range, analysis) : null,
    )
    if (removed === null) return false
    onRemoved(removed)
    to = range.from
  }
  return true
}

// Full-text search over everything a Space holds. Writing: a text becomes passages (chunk.ts) and each passage its
// words (words.ts), stems and BM25 vector (in SQL). Asking: the question's lexemes are weighed by how rare they are
// (term-counts.ts), which gives a vector and a set of candidates (query-plan.ts); Postgres ranks, and links count
// (follow-links.ts).

import type { Passage } from '../ai/agent/services.ts'
import type { Database, Queryable } from '../db/pool.ts'
import { analyseQuestion, findByTitle, type Scope } from '../db/repos/chunk_rankings.ts'
import { deleteChunks, type RemovedChunk, vacuumChunks } from '../db/repos/chunks.ts'
import { listFiltered } from '../db/repos/search_filters.ts'
import type { Embedding } from '../embed/embedding.ts'
import type { Kinds } from '../entities/kinds.ts'
import { adoptAverageLengths } from './average-lengths.ts'
import { indexDocument, type SearchDocument } from './index-document.ts'
import { analysisOf, type Language } from './languages.ts'
import { planQuery } from './query-plan.ts'
import { parseQuestion } from './question.ts'
import { pickPassages, rankPassages } from './rank-passages.ts'
import { citedLine, markedSnippet, type Piece, wordsToMark } from './snippet.ts'
import { takePage } from './take-page.ts'
import { createTermCounts, type TermCounts } from './term-counts.ts'

export type { SearchDocument } from './index-document.ts'

export type SearchQuery = {
  space_ids: readonly string[]
  q: string
  /** Entity types and `conversation`; left out: all. */
  kinds?: readonly string[] | undefined
  /** Only of these statuses, which only some kinds have. */
  statuses?: readonly string[] | undefined
  /** Last changed at or after this time, and before that one; ISO 8601. */
  changed_after?: string | undefined
  changed_before?: string | undefined
  /** Nothing of this entity: the conversation that asks. */
  without?: string | undefined
  /** Passages, 1 to 100; left out: 8. */
  limit?: number | undefined
  /** Passages to leave out at the beginning: those of the pages before, which had the same limit. */
  offset?: number | undefined
  /** Passages of one entity; left out: 3. */
  per_entity?: number | undefined
  /** Whether the last word may be unfinished, as in a field that answers while somebody types. */
  typing?: boolean | undefined
}

/** A passage and the lines of the indexed text where it stands, 1-based and inclusive. */
export type SearchHit = Passage & { start_line: number; end_line: number }

/** What is shown of a hit. */
export type Shown = { snippet: Piece[]; cite: string }

export type Search = {
  /** What the passages that it writes are made by. */
  readonly analysis: string
  /** Replaces the passages of an entity, in the caller's transaction. About 2 ms a passage. */
  index(tx: Queryable, document: SearchDocument): Promise<void>
  remove(tx: Queryable, entityId: string): Promise<void>
  /**
   * Best first, at most three passages of one entity, only from the Spaces named. Any string is a question; one that
   * holds nothing to look for finds nothing. Not to be called inside a transaction.
   */
  query(request: SearchQuery): Promise<SearchHit[]>
  /** As `query`, and what to show of each hit: snippets of about so many characters. */
  show(request: SearchQuery, length: number): Promise<(SearchHit & Shown)[]>
  /** Counts the terms of Spaces before a question needs them: 40 ms for 1,000 passages. */
  warm(spaceIds: readonly string[]): Promise<void>
  /** See average-lengths.ts: whether passages of the Spaces that were asked have to be indexed anew. */
  adoptAverageLengths(): Promise<boolean>
  /** Reclaims space and renews statistics, where the engine doesn't by itself; after an import, or nightly. */
  maintain(): Promise<void>
}

export type SearchDeps = {
  db: Database
  kinds: Kinds
  /** Left out: English. */
  languages?: readonly Language[] | undefined
  /** Left out: only words count. */
  embedding?: Pick<Embedding, 'embedQuestion'> | null | undefined
}

const perEntity = 3
const mostAtOnce = 100
/** What was said in a conversation repeats questions and what stands elsewhere; it stands behind the thing itself. */
const said = 0.7

/** Keeps the counts of terms in memory: make one for a process. */
export function createSearch(deps: SearchDeps): Search {
  const { db, kinds, languages = ['english'], embedding = null } = deps
  const spaces = new Map<string, TermCounts>()
  const analysis = { name: analysisOf(languages), languages }

  function countsOf(spaceId: string): TermCounts {
    const counts = spaces.get(spaceId) ?? createTermCounts(spaceId)
    spaces.set(spaceId, counts)
    return counts
  }

  function forget(removed: readonly RemovedChunk[]) {
    for (const chunk of removed) countsOf(chunk.space_id).forget([chunk])
  }

  async function analyse(words: readonly string[], spaceIds: readonly string[]) {
    const question = { words: words.join(' '), languages }
    const { lexemes, revisions } = await analyseQuestion(db, question, spaceIds)
    for (const { space_id, revision } of revisions) await countsOf(space_id).sync(db, revision)
    return { lexemes, counts: revisions.map(({ space_id }) => countsOf(space_id)) }
  }

  /** Null where nothing passes the filters. */
  async function scopeOf(request: SearchQuery): Promise<Scope | null> {
    const { space_ids, statuses = null, changed_after = null, changed_before = null } = request
    const filter = { space_ids, statuses, changed_after, changed_before }
    const filtered = statuses !== null || changed_after !== null || changed_before !== null
    const among = filtered ? await listFiltered(db, kinds.all, filter) : null
    if (among?.length === 0) return null
    return {
      space_ids,
      among,
      kinds: request.kinds ?? null,
      without: request.without ?? null,
      limit: Math.min(mostAtOnce, Math.max(1, Math.trunc(request.limit ?? 8))),
      per_entity: request.per_entity ?? perEntity,
      said: request.kinds ? 1 : said,
    }
  }

  /** The hits, and the words that they may hold. */
  async function find(request: SearchQuery): Promise<{ hits: SearchHit[]; words: string[] }> {
    const question = parseQuestion(request.q, request.typing)
    const scope = question.text === '' ? null : await scopeOf(request)
    if (!scope) return { hits: [], words: [] }
    const [{ lexemes, counts }, meaning] = await Promise.all([
      analyse(question.words, request.space_ids),
      // A word half typed means nothing yet.
      question.unfinished === null && embedding ? embedding.embedQuestion(question.text) : null,
    ])
    if (counts.length === 0) return { hits: [], words: [] }

    const plan = planQuery({ lexemes, unfinished: question.unfinished }, counts)
    const rank = async (limit: number) => {
      const within = { ...scope, limit }
      const ranked = plan ? await rankPassages(db, within, { question, plan, languages, meaning }) : []
      const titled = ranked.length < limit ? await findByTitle(db, within, question.text) : []
      return pickPassages([...ranked, ...titled], within)
    }
    return {
      hits: await takePage(rank, { offset: request.offset ?? 0, limit: scope.limit }),
      words: plan ? wordsToMark(question.words, plan.lexemes) : question.words,
    }
  }

  return {
    analysis: analysis.name,
    async index(tx, document) {
      forget(await indexDocument(tx, document, analysis))
    },
    async remove(tx, entityId) {
      forget(await deleteChunks(tx, entityId))
    },
    async query(request) {
      return (await find(request)).hits
    },
    async show(request, length) {
      const { hits, words } = await find(request)
      return hits.map((hit) => ({
        ...hit,
        snippet: markedSnippet(hit.text, words, length),
        cite: citedLine(hit.text, words),
      }))
    },
    async warm(spaceIds) {
      await analyse([], spaceIds)
    },
    adoptAverageLengths: () => adoptAverageLengths(db, spaces),
    maintain: () => vacuumChunks(db),
  }
}

// Full-text search over everything a Space holds. Writing: a text becomes passages (chunk.ts) and each passage its
// words (words.ts), stems and BM25 vector (in SQL). Asking: the question's lexemes are weighed by how rare they are
// (term-counts.ts), which gives a vector and a set of candidates (query-plan.ts); Postgres ranks, and links count
// (follow-links.ts).

import type { Passage, SearchItem } from '../contract/space/search.ts'
import type { Database, Queryable } from '../db/pool.ts'
import { findByTitle, type Scope } from '../db/repos/chunk_rankings.ts'
import { deleteChunks, spacesOfEntities, vacuumChunks } from '../db/repos/chunks.ts'
import { listFiltered } from '../db/repos/search_filters.ts'
import type { Embedding } from '../embed/embedding.ts'
import type { Kinds } from '../entities/kinds.ts'
import { deferDocument, indexDocument, type SearchDocument } from './index-document.ts'
import { indexInParts } from './index-in-parts.ts'
import { analysisOf, type Language } from './languages.ts'
import { planQuery } from './query-plan.ts'
import { parseQuestion } from './question.ts'
import { pickPassages, rankPassages } from './rank-passages.ts'
import { citedLine, markedSnippet, wordsToMark } from './snippet.ts'
import { createSpaceTerms, type SpaceTerms } from './space-terms.ts'
import { takePage } from './take-page.ts'

type SearchQuery = {
  space_ids: readonly string[]
  q: string
  /** Entity types and `conversation`; left out: all. */
  kinds?: readonly string[] | undefined
  /** Only of these statuses, which only some kinds have. */
  statuses?: readonly string[] | undefined
  /** Last changed at or after this time, and before that one; ISO 8601. */
  changed_after?: string | undefined
  changed_before?: string | undefined
  /** Nothing but these entities. */
  among?: readonly string[] | undefined
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

/** A passage and its lines in the indexed text, 1-based and inclusive. */
type SearchHit = Passage & { start_line: number; end_line: number }

export type Search = {
  /** What the passages that it writes are made by. */
  readonly analysis: string
  /** Replaces the passages of an entity, in the caller's transaction. About 2 ms a passage. */
  index(tx: Queryable, document: SearchDocument): Promise<void>
  /** Leaves a long document to the background; until then it is found as it was, a new one by its beginning. */
  defer(tx: Queryable, document: SearchDocument & { text: string }): Promise<void>
  /** As `index`, in short transactions of its own. False when `isCurrent`, asked in each, says no. */
  indexInParts(document: SearchDocument, isCurrent: (tx: Queryable) => Promise<boolean>): Promise<boolean>
  remove(tx: Queryable, entityId: string): Promise<void>
  /**
   * Best first, at most three passages of one entity, only from the Spaces named. Any string is a question; one that
   * holds nothing to look for finds nothing. Not to be called inside a transaction.
   */
  query(request: SearchQuery): Promise<SearchHit[]>
  /** As `query`, with the Space of each hit and what to show of it: snippets of about so many characters. */
  show(request: SearchQuery, length: number): Promise<SearchItem[]>
  /** Counts the terms of Spaces before a question needs them: 40 ms for 1,000 passages. */
  warm(spaceIds: readonly string[]): Promise<void>
  /** See average-lengths.ts: whether passages of the Spaces that were asked have to be indexed again. */
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

const ownLanguages: readonly Language[] = ['english']
const defaultPerEntity = 3
const maxPassages = 100
/** Conversations repeat questions and what other texts say; they rank after those. */
const conversationWeight = 0.7

/** Keeps the counts of terms in memory: create one for a process. */
export function createSearch(deps: SearchDeps): Search {
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
      return (await find(deps, terms, request)).hits
    },
    async show(request, length) {
      const { hits, words } = await find(deps, terms, request)
      const ids = [...new Set(hits.map(({ entity_id }) => entity_id))]
      const spaceOf = await spacesOfEntities(db, request.space_ids, ids)
      return hits.map((hit) => ({
        ...hit,
        space_id: spaceOf.get(hit.entity_id),
        snippet: markedSnippet(hit.text, words, length),
        cite: citedLine(hit.text, words),
      }))
    },
    async warm(spaceIds) {
      await terms.analyse([], spaceIds)
    },
    adoptAverageLengths: terms.adoptAverageLengths,
    maintain: () => vacuumChunks(db),
  }
}

/** The hits, and the words that they may hold. */
async function find(
  deps: SearchDeps,
  terms: SpaceTerms,
  request: SearchQuery,
): Promise<{ hits: SearchHit[]; words: string[] }> {
  const { db, languages = ownLanguages, embedding = null } = deps
  const question = parseQuestion(request.q, request.typing)
  const scope = question.text === '' ? null : await scopeOf(deps, request)
  if (!scope) return { hits: [], words: [] }
  const [{ lexemes, counts }, meaning] = await Promise.all([
    terms.analyse(question.words, request.space_ids),
    // An unfinished word has no meaning yet.
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

/** Null where nothing passes the filters. */
async function scopeOf({ db, kinds }: SearchDeps, request: SearchQuery): Promise<Scope | null> {
  const { space_ids, statuses = null, changed_after = null, changed_before = null } = request
  const filter = { space_ids, statuses, changed_after, changed_before }
  const filtered = statuses !== null || changed_after !== null || changed_before !== null
  const listed = filtered ? await listFiltered(db, kinds.searched, filter) : null
  const given = request.among ? new Set(request.among) : null
  const among = listed && given ? listed.filter((id) => given.has(id)) : (listed ?? (given && [...given]))
  if (among?.length === 0) return null
  return {
    space_ids,
    among,
    kinds: request.kinds ?? null,
    without: request.without ?? null,
    limit: Math.min(maxPassages, Math.max(1, Math.trunc(request.limit ?? 8))),
    per_entity: request.per_entity ?? defaultPerEntity,
    said: request.kinds ? 1 : conversationWeight,
  }
}

// Full-text search over a Space's content. Writing: a text becomes passages (chunk.ts) and each passage its words
// (words.ts), stems (in SQL) and BM25 vector (bm25.ts). Reading: the question's lexemes are weighed by rarity
// (term-counts.ts), which gives a vector and a set of candidates (query-plan.ts); Postgres ranks, and links count
// (follow-links.ts).

import type { Kinds } from '../contract/entities/kinds.ts'
import type { Passage, SearchItem } from '../contract/space/search.ts'
import type { Database, Queryable } from '../db/pool.ts'
import { type FoundChunk, findByTitle, listFiltered, type Scope } from '../db/repos/chunk_rankings.ts'
import {
  type Analysis,
  deleteChunks,
  everyPassage,
  type RemovedChunk,
  vacuumChunks,
} from '../db/repos/chunks.ts'
import type { Embedding } from './embed/embedding.ts'
import {
  cutDocument,
  deferDocument,
  indexDocument,
  indexRange,
  type SearchDocument,
} from './index-document.ts'
import { analysisOf, type Language } from './languages.ts'
import { conversationsLast, isDataFile, type Picked, pickPassages, takePage } from './pick-passages.ts'
import { planQuery } from './query-plan.ts'
import { parseQuestion } from './question.ts'
import { rankPassages } from './rank-passages.ts'
import { createExcerpts, wordsToMark } from './snippet.ts'
import { createSpaceTerms, type SpaceTerms } from './term-counts.ts'

type SearchQuery = {
  space_ids: readonly string[]
  q: string
  /** Entity types and `conversation`. Default: all. */
  kinds?: readonly string[] | undefined
  /** Only these statuses; only some types have one. */
  statuses?: readonly string[] | undefined
  /** Last changed at or after this time, and before that one; ISO 8601. */
  changed_after?: string | undefined
  changed_before?: string | undefined
  /** Only these entities. */
  among?: readonly string[] | undefined
  /** Excludes this entity: the conversation that searches. */
  without?: string | undefined
  /** Unit of results: passages, or entities with their best passage. Default: passages. */
  group?: 'passage' | 'entity' | undefined
  /** Number of results, 1 to 100. Default: 8. */
  limit?: number | undefined
  /** Results to skip: those of the previous pages, which had the same limit. */
  offset?: number | undefined
  /** Maximum passages per entity. Default: 3. */
  per_entity?: number | undefined
  /** True if the last word may be unfinished, as in search as you type. */
  typing?: boolean | undefined
}

/** A passage and its lines in the indexed text, 1-based and inclusive. */
type SearchHit = Passage & { space_id: string; start_line: number; end_line: number }

export type ShownPage = {
  items: SearchItem[]
  /** True if there are further results. */
  more: boolean
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

type SearchDeps = {
  db: Database
  kinds: Kinds
  /** Default: English. */
  languages?: readonly Language[] | undefined
  /** Default: only words count. */
  embedding?: Pick<Embedding, 'embedQuestion'> | null | undefined
}

const ownLanguages: readonly Language[] = ['english']

const defaultPerEntity = 3

const maxPassages = 100

/** Weight of conversations: the minimum that still shows one when nothing else comes near (see pick-passages.ts). */
const conversationWeight = 0.5

/** Keeps term counts in memory: create one per process. */
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
      return (await find(deps, terms, request)).items.map(({ chunk }) => chunk)
    },
    async show(request, length) {
      const { items, words, more } = await find(deps, terms, request)
      const excerpt = createExcerpts(words, length)
      const excerptOf = (chunk: FoundChunk) =>
        isDataFile(chunk) ? { snippet: [], cite: '' } : excerpt(chunk.text)
      const toOther = (chunk: FoundChunk) => {
        const { ordinal, heading_path, score, start_line, end_line } = chunk
        return { ordinal, heading_path, score, start_line, end_line, ...excerptOf(chunk) }
      }
      const toItem = ({ chunk, others }: Picked) => ({
        ...chunk,
        ...excerptOf(chunk),
        others: isDataFile(chunk) ? [] : others.map(toOther),
      })
      return { items: items.map(toItem), more }
    },
    async warm(spaceIds) {
      await terms.analyse([], spaceIds)
    },
    adoptAverageLengths: terms.adoptAverageLengths,
    maintain: () => vacuumChunks(db),
  }
}

/** A page of results, and the words that they may contain. */
async function find(
  deps: SearchDeps,
  terms: SpaceTerms,
  request: SearchQuery,
): Promise<{ items: Picked[]; more: boolean; words: string[] }> {
  const { db, languages = ownLanguages, embedding = null } = deps
  const nothing = { items: [], more: false, words: [] }
  const question = parseQuestion(request.q, request.typing)
  const isEmpty = question.text === '' && question.tags.length === 0
  const scope = isEmpty ? null : await scopeOf(deps, request, question.tags)
  if (!scope) return nothing
  const [{ lexemes, counts, stored }, meaning] = await Promise.all([
    terms.analyse([...question.words, ...question.joined], request.space_ids),
    // An unfinished word has no meaning yet.
    question.unfinished === null && embedding ? embedding.embedQuestion(question.text) : null,
  ])
  if (counts.length === 0) return nothing

  const plan = planQuery({ lexemes, words: question.words, unfinished: question.unfinished }, counts)
  const total = counts.reduce((sum, { chunks }) => sum + chunks, 0)
  const narrow = total < stored / 2
  const rank = async (limit: number) => {
    const within = { ...scope, limit, narrow }
    const ranked = plan ? await rankPassages(db, within, { question, plan, languages, meaning }) : []
    const titled = ranked.length < limit ? await findByTitle(db, within, question.text) : []
    const picked = pickPassages([...ranked, ...titled], within)
    return scope.said < 1 ? conversationsLast(picked, scope.limit) : picked
  }
  return {
    ...(await takePage(rank, { ...scope, offset: request.offset ?? 0 })),
    words: plan ? wordsToMark(question.words, plan.lexemes) : question.words,
  }
}

/** Null if nothing passes the filters. */
async function scopeOf(
  { db, kinds }: SearchDeps,
  request: SearchQuery,
  asked: readonly string[],
): Promise<Omit<Scope, 'narrow'> | null> {
  const { space_ids, statuses = null, changed_after = null, changed_before = null } = request
  const tags = asked.length > 0 ? asked : null
  const filter = { space_ids, statuses, changed_after, changed_before, tags }
  const filtered = [statuses, changed_after, changed_before, tags].some((one) => one !== null)
  const listed = filtered ? await listFiltered(db, kinds.searched, filter) : null
  const requested = request.among ? new Set(request.among) : null
  const among =
    listed && requested ? listed.filter((id) => requested.has(id)) : (listed ?? (requested && [...requested]))
  if (among?.length === 0) return null
  return {
    space_ids,
    among,
    kinds: request.kinds ?? null,
    without: request.without ?? null,
    limit: Math.min(maxPassages, Math.max(1, Math.trunc(request.limit ?? 8))),
    by_entity: request.group === 'entity',
    per_entity: request.per_entity ?? defaultPerEntity,
    said: request.kinds ? 1 : conversationWeight,
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

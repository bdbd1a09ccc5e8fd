// Full-text search over everything a Space holds. Writing: a text becomes passages (chunk.ts) and each passage its
// words (words.ts), stems (in SQL) and BM25 vector (bm25.ts). Asking: the question's lexemes are weighed by how rare
// they are (term-counts.ts), which gives a vector and a set of candidates (query-plan.ts); Postgres ranks, and links
// count (follow-links.ts).

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
import { conversationsLast, isDataFile, type Picked, pickPassages } from './pick-passages.ts'
import { planQuery } from './query-plan.ts'
import { parseQuestion } from './question.ts'
import { rankPassages } from './rank-passages.ts'
import { createExcerpts, wordsToMark } from './snippet.ts'
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
  /** What a result is: a passage, or an entity with its best passage. Left out: a passage. */
  group?: 'passage' | 'entity' | undefined
  /** Results, 1 to 100; left out: 8. */
  limit?: number | undefined
  /** Results to leave out at the beginning: those of the pages before, which had the same limit. */
  offset?: number | undefined
  /** Passages of one entity; left out: 3. */
  per_entity?: number | undefined
  /** Whether the last word may be unfinished, as in a field that answers while somebody types. */
  typing?: boolean | undefined
}

/** A passage and its lines in the indexed text, 1-based and inclusive. */
type SearchHit = Passage & { space_id: string; start_line: number; end_line: number }

export type ShownPage = {
  items: SearchItem[]
  /** Whether others follow. */
  more: boolean
}

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
   * Best first, at most three passages of one entity, only from the Spaces named. Conversations come last, unless kinds
   * are named. Any string is a question; one that holds nothing to look for finds nothing. Not to be called inside a
   * transaction.
   */
  query(request: SearchQuery): Promise<SearchHit[]>
  /** As `query`, with what to show of each result: snippets of about so many characters. */
  show(request: SearchQuery, length: number): Promise<ShownPage>
  /** Counts the terms of Spaces before a question needs them: 40 ms for 1,000 passages. */
  warm(spaceIds: readonly string[]): Promise<void>
  /** See average-lengths.ts: whether passages of the Spaces that were asked have to be indexed again. */
  adoptAverageLengths(): Promise<boolean>
  /** Reclaims space and renews statistics, where the engine doesn't by itself; after an import, or nightly. */
  maintain(): Promise<void>
}

type SearchDeps = {
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

/** Of conversations, the least that still brings one up where nothing else comes near (see pick-passages.ts). */
const conversationWeight = 0.5

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

/** A page of results, and the words that they may hold. */
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
  const held = counts.reduce((sum, { chunks }) => sum + chunks, 0)
  const narrow = held < stored / 2
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

/** Null where nothing passes the filters. */
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
  const given = request.among ? new Set(request.among) : null
  const among = listed && given ? listed.filter((id) => given.has(id)) : (listed ?? (given && [...given]))
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

/** Passages of one transaction: about 50 ms. */
const passagesPerPart = 20

type PartsOptions = {
  document: SearchDocument
  analysis: Analysis
  /** Whether the document is still what is stored, which stays so until the transaction ends. */
  isCurrent: (tx: Queryable) => Promise<boolean>
  onRemoved: (removed: readonly RemovedChunk[]) => void
}

/**
 * As `indexDocument`, a few passages a transaction, so that others come in between. The first passage, which says what
 * an entity is indexed by, comes last. False when the document changed meanwhile: it is to be begun anew. Throws a 507
 * once the disk is full.
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

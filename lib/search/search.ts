// Full-text search over everything a Space holds. Writing: a text becomes passages (chunk.ts) and each passage its
// words (words.ts), stems and BM25 vector (in SQL). Asking: the question's lexemes are weighed by how rare they are
// (term-counts.ts), which gives a vector and a set of candidates (query-plan.ts); Postgres ranks.

import type { Passage } from '../ai/agent/services.ts'
import type { Queryable } from '../db/pool.ts'
import {
  analyseQuestion,
  type ChunkOwner,
  deleteChunks,
  type FoundChunk,
  findByTitle,
  insertChunks,
  rankChunks,
  rankPhrase,
  type Scope,
  vacuumChunks,
} from '../db/repos/chunks.ts'
import { cleanText } from '../text/clean.ts'
import { chunkText } from './chunk.ts'
import { planQuery, type QueryPlan } from './query-plan.ts'
import { parseQuestion, type Question } from './question.ts'
import { createTermCounts, type TermCounts } from './term-counts.ts'
import { wordsOf } from './words.ts'

export type SearchDocument = ChunkOwner & { text: string }

export type SearchQuery = {
  space_ids: readonly string[]
  q: string
  /** Entity types; left out: all. */
  kinds?: readonly string[] | undefined
  /** Passages, 1 to 50; left out: 8. */
  limit?: number | undefined
}

/** A passage and the lines of the indexed text where it stands, 1-based and inclusive. */
export type SearchHit = Passage & { start_line: number; end_line: number }

export type Search = {
  /** Replaces the passages of an entity, in the caller's transaction. */
  index(tx: Queryable, document: SearchDocument): Promise<void>
  remove(tx: Queryable, entityId: string): Promise<void>
  /**
   * Best first, at most three passages of one entity, only from the Spaces named. Any string is a question; one that
   * holds nothing to look for finds nothing.
   */
  query(request: SearchQuery): Promise<SearchHit[]>
  /** Counts the terms of Spaces before the first question needs them. */
  warm(spaceIds: readonly string[]): Promise<void>
  /** Reclaims space and renews statistics where the engine doesn't by itself; after an import, or nightly. */
  maintain(): Promise<void>
}

/** Passages indexed in one statement. */
const batchSize = 100
const perEntity = 3

export function createSearch({ db }: { db: Queryable }): Search {
  const spaces = new Map<string, TermCounts>()

  function countsOf(spaceId: string): TermCounts {
    const counts = spaces.get(spaceId) ?? createTermCounts(spaceId)
    spaces.set(spaceId, counts)
    return counts
  }

  async function analyse(words: string, spaceIds: readonly string[]) {
    const { lexemes, revisions } = await analyseQuestion(db, words, spaceIds)
    const counted = revisions.map(({ space_id, revision }) => ({ counts: countsOf(space_id), revision }))
    for (const { counts, revision } of counted) await counts.sync(db, revision)
    return { lexemes, counts: counted.map(({ counts }) => counts) }
  }

  async function remove(tx: Queryable, entityId: string): Promise<void> {
    for (const removed of await deleteChunks(tx, entityId)) countsOf(removed.space_id).forget([removed])
  }

  return {
    remove,
    async index(tx, document) {
      const owner = { ...document, title: cleanText(document.title) }
      await remove(tx, owner.entity_id)
      const rows = newChunks(owner.title, cleanText(document.text))
      for (let from = 0; from < rows.length; from += batchSize) {
        await insertChunks(tx, owner, rows.slice(from, from + batchSize))
      }
    },
    async query(request) {
      const limit = Math.min(50, Math.max(1, Math.trunc(request.limit ?? 8)))
      const scope = { space_ids: request.space_ids, kinds: request.kinds ?? null, limit: limit * 4 + 10 }
      const question = parseQuestion(request.q)
      if (question.text === '' || request.space_ids.length === 0) return []

      const { lexemes, counts } = await analyse(question.words.join(' '), request.space_ids)
      if (counts.length === 0) return []
      const plan = planQuery(lexemes, counts)
      const found = plan ? await rank(db, scope, question, plan) : []
      const titled = found.length < limit ? await findByTitle(db, scope, question.text) : []
      return pick([...found, ...titled], limit)
    },
    async warm(spaceIds) {
      await analyse('', spaceIds)
    },
    maintain: () => vacuumChunks(db),
  }
}

/** Every entity has a passage, if only an empty one, so that its title is found. */
function newChunks(title: string, text: string) {
  const chunks = chunkText(text, title)
  const empty = { text: '', heading_path: [], start_line: 1, end_line: 1 }
  const titleWords = wordsOf(title)
  return (chunks.length > 0 ? chunks : [empty]).map((chunk, ordinal) => ({
    ...chunk,
    ordinal,
    words: [
      ...titleWords,
      ...titleWords,
      ...titleWords,
      ...chunk.heading_path.flatMap(wordsOf),
      ...wordsOf(chunk.text),
    ].join(' '),
  }))
}

/** Passages with the quoted phrases first, then by score; all terms are tried when the rarest find too few. */
async function rank(db: Queryable, scope: Scope, question: Question, plan: QueryPlan): Promise<FoundChunk[]> {
  const found: FoundChunk[] = []
  for (const phrase of question.phrases) {
    const near = await rankPhrase(db, scope, { words: phrase.join(' '), vector: plan.vector })
    found.push(...near.filter((chunk) => holdsPhrase(chunk, phrase)))
  }
  const narrow = await rankChunks(db, scope, { tsquery: plan.narrow, vector: plan.vector })
  found.push(...narrow)
  if (narrow.length < scope.limit && plan.wide !== plan.narrow) {
    found.push(...(await rankChunks(db, scope, { tsquery: plan.wide, vector: plan.vector })))
  }
  return found
}

/** The stems stand there; the very words must, too. */
function holdsPhrase(chunk: FoundChunk, phrase: readonly string[]): boolean {
  const wanted = ` ${phrase.join(' ')} `
  return [chunk.text, chunk.title, ...chunk.heading_path].some((text) =>
    ` ${wordsOf(text).join(' ')} `.includes(wanted),
  )
}

/** The first `limit` passages, none twice and no more than three of one entity. */
function pick(found: readonly FoundChunk[], limit: number): SearchHit[] {
  const picked = new Map<string, SearchHit>()
  const ofEntity = new Map<string, number>()

  for (const chunk of found) {
    const key = `${chunk.entity_id} ${chunk.ordinal}`
    const taken = ofEntity.get(chunk.entity_id) ?? 0
    if (picked.size === limit || picked.has(key) || taken === perEntity) continue
    picked.set(key, chunk)
    ofEntity.set(chunk.entity_id, taken + 1)
  }
  return [...picked.values()]
}

// A question's page of results: what it may look at, the ranking, and which of it is shown.

import type { Kinds } from '../contract/entities/kinds.ts'
import type { Database } from '../db/pool.ts'
import { findByName, findByText, findByTitle, listHolding } from '../db/repos/chunk_names.ts'
import { type FoundChunk, listFiltered, type Scope } from '../db/repos/chunk_rankings.ts'
import type { Embedding } from './embed/embedding.ts'
import { exactFirst, namesIn, unquoted } from './exact-names.ts'
import type { Language } from './languages.ts'
import { conversationsLast, type Picked, pickPassages, takePage } from './pick-passages.ts'
import { planQuery, quotedLexemes } from './query-plan.ts'
import { parseQuestion, type Question } from './question.ts'
import { rankPassages } from './rank-passages.ts'
import { wordsToMark } from './snippet.ts'
import type { SpaceTerms } from './term-counts.ts'

export type SearchQuery = {
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
  /** What becomes of a result that says the same as one before it: it has no place of its own, or keeps it. Default: fold. */
  repeated?: 'fold' | 'keep' | undefined
  /** True if the last word may be unfinished, as in search as you type. */
  typing?: boolean | undefined
}

export type FindDeps = {
  db: Database
  kinds: Kinds
  /** Default: English. */
  languages?: readonly Language[] | undefined
  /** Default: only words count. */
  embedding?: Pick<Embedding, 'embedQuestion'> | null | undefined
}

export type Found = {
  items: Picked[]
  /** True if there are further results. */
  more: boolean
  /** The words that the results may contain. */
  words: string[]
  /** Quoted phrases that stand nowhere. */
  missing: string[]
}

export const ownLanguages: readonly Language[] = ['english']

const defaultPerEntity = 3

const maxPassages = 100

/** Weight of conversations: the minimum that still shows one when nothing else comes near (see pick-passages.ts). */
const conversationWeight = 0.5

const nothing: Found = { items: [], more: false, words: [], missing: [] }

/** A page of results. */
export async function find(deps: FindDeps, terms: SpaceTerms, request: SearchQuery): Promise<Found> {
  const { db, languages = ownLanguages, embedding = null } = deps
  const question = parseQuestion(request.q, request.typing)
  const isEmpty = question.text === '' && question.tags.length === 0
  const scope = isEmpty ? null : await scopeOf(deps, request, question.tags)
  if (!scope) return nothing
  const names = namesIn(question.text)
  const own = [...question.words, ...question.joined, ...question.split.map(({ word }) => word)]
  const [{ lexemes, counts, stored }, named, meaning] = await Promise.all([
    terms.analyse([...own, ...question.excluded], request.space_ids),
    names.whole ? findByName(db, scope, names) : [],
    // An unfinished word has no meaning yet.
    question.unfinished === null && embedding ? embedding.embedQuestion(question.text) : null,
  ])
  if (counts.length === 0) return nothing

  const asked = lexemes.filter(({ positions }) => positions.some((position) => position <= own.length))
  const excluded = quotedLexemes(lexemes.filter((lexeme) => !asked.includes(lexeme)))
  const plan = planQuery({ ...question, lexemes: asked }, counts)
  const total = counts.reduce((sum, { chunks }) => sum + chunks, 0)
  const narrow = total < stored / 2
  const missing = new Set<string>()
  const rank = async (limit: number) => {
    const within = { ...scope, limit, narrow }
    const ranked = plan
      ? await rankPassages(db, within, { question, plan, excluded, languages, meaning })
      : { chunks: [], missing: [] }
    for (const phrase of ranked.missing) missing.add(phrase)
    const found = [...ranked.chunks, ...(await findLiterally(db, within, question, ranked.chunks.length))]
    const out = await holding(db, [...named, ...found], excluded)
    const isLeft = ({ entity_id }: FoundChunk) => !out.has(entity_id)
    const ordered = exactFirst(found.filter(isLeft), named.filter(isLeft), question.text)
    const picked = pickPassages(ordered.chunks, { ...within, repeated: request.repeated })
    return scope.said < 1 ? conversationsLast(picked, scope.limit, ordered.first) : picked
  }
  return {
    ...(await takePage(rank, { ...scope, offset: request.offset ?? 0 })),
    words: plan ? wordsToMark(question.words, plan.lexemes) : question.words,
    missing: [...missing],
  }
}
/**
 * What holds the question as it is written: titles where the ranking gives too little, and texts where it gives nothing,
 * because the question has no word that is looked for ("the who", `??`).
 */
async function findLiterally(db: Database, scope: Scope, { text }: Question, ranked: number) {
  const written = unquoted(text)
  // Without any text, as in `tag:home`, everything in scope is wanted.
  if (ranked >= scope.limit || (written === '' && text !== '')) return []
  const titled = await findByTitle(db, scope, written)
  return ranked > 0 || written === '' || titled.length >= scope.limit
    ? titled
    : [...titled, ...(await findByText(db, scope, written))]
}

/** The entities in which one of the excluded words stands. */
async function holding(
  db: Database,
  found: readonly FoundChunk[],
  excluded: string,
): Promise<ReadonlySet<string>> {
  if (excluded === '' || found.length === 0) return new Set()
  const ids = [...new Set(found.map(({ entity_id }) => entity_id))]
  return new Set(await listHolding(db, ids, excluded))
}

/** Null if nothing passes the filters. */
async function scopeOf(
  { db, kinds }: FindDeps,
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

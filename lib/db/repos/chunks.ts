// Passages and what ranks them (see migrations/002_search.sql). `lexeme` is Postgres's stem of a word.

import type { Queryable } from '../pool.ts'

export type NewChunk = {
  ordinal: number
  heading_path: string[]
  text: string
  start_line: number
  end_line: number
  /** The analysed words of title, headings and text: what is indexed. */
  words: string
}

export type ChunkOwner = { space_id: string; entity_type: string; entity_id: string; title: string }

export type FoundChunk = {
  entity_type: string
  entity_id: string
  ordinal: number
  title: string
  heading_path: string[]
  text: string
  start_line: number
  end_line: number
  score: number
}

export type Scope = {
  space_ids: readonly string[]
  kinds: readonly string[] | null
  limit: number
  /** Passages of one entity. */
  per_entity: number
}

const shown = `entity_type, entity_id, ordinal, title, heading_path, text, start_line, end_line`

/** Stores passages of one entity; an ordinal that is taken is a unique violation. */
export async function insertChunks(
  tx: Queryable,
  owner: ChunkOwner,
  chunks: readonly NewChunk[],
): Promise<void> {
  await tx.query(
    `with given as materialized (
       select c.*, to_tsvector('english', c.words) as tsv
       from json_to_recordset($5::json)
         as c (ordinal integer, heading_path text[], text text, start_line integer, end_line integer, words text)
     )
     insert into chunks (space_id, entity_type, entity_id, title, ordinal, heading_path, text, start_line, end_line,
       tsv, bm)
     select $1, $2, $3, $4, ordinal, heading_path, text, start_line, end_line, tsv, bm25_vector(tsv)
     from given
     order by ordinal`,
    [owner.space_id, owner.entity_type, owner.entity_id, owner.title, JSON.stringify(chunks)],
  )
}

export type StoredChunk = ChunkOwner & Omit<NewChunk, 'words'>

/** The passages of an entity in order. */
export async function listChunks(tx: Queryable, entityId: string): Promise<StoredChunk[]> {
  const { rows } = await tx.query<StoredChunk>(
    `select space_id, ${shown}
     from chunks
     where entity_id = $1
     order by ordinal`,
    [entityId],
  )
  return rows
}

/** Tells passages that stay where their text is now. */
export async function moveChunks(
  tx: Queryable,
  entityId: string,
  moved: readonly Pick<NewChunk, 'ordinal' | 'start_line' | 'end_line'>[],
): Promise<void> {
  await tx.query(
    `update chunks
     set start_line = moved.start_line, end_line = moved.end_line
     from json_to_recordset($2::json) as moved (ordinal integer, start_line integer, end_line integer)
     where chunks.entity_id = $1 and chunks.ordinal = moved.ordinal`,
    [entityId, JSON.stringify(moved)],
  )
}

export type RemovedChunk = { space_id: string; revision: number; lexemes: string[] }

/** Deletes the passages of an entity but those to keep, and tells which lexemes went with them. */
export async function deleteChunks(
  tx: Queryable,
  entityId: string,
  keep: readonly number[] = [],
): Promise<RemovedChunk[]> {
  const { rows } = await tx.query<RemovedChunk>(
    `delete from chunks
     where entity_id = $1 and ordinal <> all($2::integer[])
     returning space_id, revision, tsvector_to_array(tsv) as lexemes`,
    [entityId, keep],
  )
  return rows
}

export type AnalysedQuestion = {
  lexemes: { lexeme: string; count: number }[]
  /** For each Space that has passages: its newest revision. */
  revisions: { space_id: string; revision: number }[]
}

/**
 * The lexemes of a question's words and how current each Space is. Two statements side by side, and the Spaces not as
 * an array: Postgres would plan the one statement, or the one with the array, anew for each question, which on PGlite
 * costs several times as much as running both.
 */
export async function analyseQuestion(
  db: Queryable,
  words: string,
  spaceIds: readonly string[],
): Promise<AnalysedQuestion> {
  const [lexemes, newest] = await Promise.all([
    db.query<{ lexeme: string; count: number }>(
      `select lexeme, cardinality(positions) as count
       from unnest(to_tsvector('english', $1))`,
      [words],
    ),
    db.query<{ space_id: string; revision: number | null }>(
      `select asked.space_id, (select max(revision) from chunks where space_id = asked.space_id::uuid) as revision
       from json_array_elements_text($1::json) as asked (space_id)`,
      [JSON.stringify(spaceIds)],
    ),
  ])
  const revisions = newest.rows.flatMap(({ space_id, revision }) =>
    revision ? [{ space_id, revision }] : [],
  )
  return { lexemes: lexemes.rows, revisions }
}

/** The next `size` passages of a Space after a revision: how many there are and where they end (null: none). */
export async function nextSlab(
  db: Queryable,
  range: { space_id: string; after: number; size: number },
): Promise<{ upto: number | null; chunks: number }> {
  const { rows } = await db.query<{ upto: number | null; chunks: number }>(
    `select max(revision) as upto, count(*)::integer as chunks
     from (
       select revision
       from chunks
       where space_id = $1 and revision > $2
       order by revision
       limit $3
     ) as slab`,
    [range.space_id, range.after, range.size],
  )
  return rows[0]!
}

/** In how many passages of a Space, written after one revision and up to another, each lexeme stands. */
export async function countLexemes(
  db: Queryable,
  range: { space_id: string; after: number; upto: number },
): Promise<{ lexeme: string; count: number }[]> {
  const { rows } = await db.query<{ lexeme: string; count: number }>(
    `select word as lexeme, ndoc as count
     from ts_stat(format('select tsv from chunks where space_id = %L and revision > %s and revision <= %s',
       $1::uuid, $2::bigint, $3::bigint))`,
    [range.space_id, range.after, range.upto],
  )
  return rows
}

/** Passages in which a `tsquery` holds, best inner product with the sparse vector first. */
export async function rankChunks(
  db: Queryable,
  scope: Scope,
  { tsquery, vector }: { tsquery: string; vector: string },
): Promise<FoundChunk[]> {
  const { rows } = await db.query<FoundChunk>(
    'select * from rank_chunks($1::uuid[], $2::text[], $3::tsquery, $4::sparsevec, $5, $6)',
    [scope.space_ids, scope.kinds, tsquery, vector, scope.per_entity, scope.limit],
  )
  return rows
}

/** Passages in which the stems of a phrase's words stand in that order, best first as in `rankChunks`. */
export async function rankPhrase(
  db: Queryable,
  scope: Scope,
  { words, vector }: { words: string; vector: string },
): Promise<FoundChunk[]> {
  const { rows } = await db.query<FoundChunk>(
    "select * from rank_chunks($1::uuid[], $2::text[], phraseto_tsquery('english', $3), $4::sparsevec, $5, $6)",
    [scope.space_ids, scope.kinds, words, vector, scope.per_entity, scope.limit],
  )
  return rows
}

/** The first passages of entities whose title contains a text, shortest title first. */
export async function findByTitle(db: Queryable, scope: Scope, text: string): Promise<FoundChunk[]> {
  const { rows } = await db.query<FoundChunk>(
    `select ${shown}, (1.0 / (1 + length(title)))::real as score
     from chunks
     where space_id = any($1::uuid[])
       and ordinal = 0
       and strpos(lower(title), lower($2)) > 0
       and ($3::text[] is null or entity_type = any($3))
     order by length(title), entity_id
     limit $4`,
    [scope.space_ids, text, scope.kinds, scope.limit],
  )
  return rows
}

/** The Space of each entity that has passages, among the Spaces given. */
export async function spacesOfEntities(
  db: Queryable,
  spaceIds: readonly string[],
  entityIds: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await db.query<{ entity_id: string; space_id: string }>(
    `select distinct entity_id, space_id
     from chunks
     where entity_id = any($1::uuid[]) and space_id = any($2::uuid[])`,
    [entityIds, spaceIds],
  )
  return new Map(rows.map(({ entity_id, space_id }) => [entity_id, space_id]))
}

/** PGlite has no autovacuum: reclaims what was replaced and renews the planner's statistics. Not in a transaction. */
export async function vacuumChunks(db: Queryable): Promise<void> {
  await db.query('vacuum (analyze) chunks')
}

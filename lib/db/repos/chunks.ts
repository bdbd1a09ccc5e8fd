// Passages and what ranks them (see migrations/005_search.sql). `lexeme` is Postgres's stem of a word.

import type { Queryable } from '../pool.ts'

export type NewChunk = {
  ordinal: number
  heading_path: string[]
  text: string
  start_line: number
  end_line: number
  /** A `tsvector`: what is indexed. */
  tsv: string
  /** Lexemes of the texts beside it by which it is found, too; null: by none. */
  around: readonly string[] | null
  /** A `sparsevec`: its weights. */
  bm: string
  /** The average length of the Space's passages that it was weighed for. */
  average_length: number
  fingerprint: string
}

/** How often each lexeme occurs. */
export type Lexemes = ReadonlyMap<string, number>

type AnalysedText = { tsv: string; named: Lexemes; body: Lexemes }

export type Analysis = {
  /** Names it; see lib/search/languages.ts. */
  name: string
  /** Text search configurations, the first where in doubt. */
  languages: readonly string[]
}

export type ChunkOwner = { space_id: string; entity_type: string; entity_id: string; title: string }

/**
 * Analyses texts, each in the language of which it has the most stop words; `named` are the words of names and headings,
 * which come before those of the text. `average` is the length that passages of the Space are weighed for.
 */
export async function analyseTexts(
  tx: Queryable,
  owner: ChunkOwner,
  texts: readonly { named: string; body: string }[],
  { languages }: Analysis,
): Promise<{ average: number; texts: AnalysedText[] }> {
  type Counted = [lexemes: string[] | null, times: number[] | null]
  const fewest =
    languages.length > 1 ? '(select sum(cardinality(positions)) from unnest(named || body)), place' : 'place'
  const { rows } = await tx.query<{ average: number; tsv: string; named: Counted; body: Counted }>(
    `select average_length($1, $2) as average, (named || body)::text as tsv,
       (select json_build_array(json_agg(lexeme), json_agg(cardinality(positions))) from unnest(named)) as named,
       (select json_build_array(json_agg(lexeme), json_agg(cardinality(positions))) from unnest(body)) as body
     from unnest($3::text[], $4::text[]) with ordinality as given (names, words, at)
     cross join lateral (
       select named, body
       from unnest($5::text[]) with ordinality as configured (language, place)
       cross join lateral to_tsvector(language::regconfig, names) as named
       cross join lateral to_tsvector(language::regconfig, words) as body
       order by ${fewest}
       limit 1
     ) as analysed
     order by at`,
    [
      owner.space_id,
      owner.entity_type,
      texts.map(({ named }) => named),
      texts.map(({ body }) => body),
      languages,
    ],
  )
  const count = ([lexemes, times]: Counted) =>
    new Map(lexemes?.map((lexeme, at): [string, number] => [lexeme, times?.[at] ?? 0]))
  return {
    average: rows[0]?.average ?? 0,
    texts: rows.map(({ tsv, named, body }) => ({ tsv, named: count(named), body: count(body) })),
  }
}

/** A lexeme of a question: of which configured language (its place), and the words of the question it stands for. */
export type QuestionLexeme = { place: number; lexeme: string; positions: number[] }

type AnalysedQuestion = {
  lexemes: QuestionLexeme[]
  /** For each Space that has passages: its newest revision. */
  revisions: { space_id: string; revision: number }[]
  /** Passages of all Spaces together, as Postgres last counted them; less than 1: it has not. */
  stored: number
}

/**
 * The lexemes of a question's words and how current each Space is. The Spaces are not given as an array: Postgres would
 * plan the statement anew for each question, which on PGlite costs several times as much as running it.
 */
export async function analyseQuestion(
  db: Queryable,
  question: { words: string; languages: readonly string[] },
  spaceIds: readonly string[],
): Promise<AnalysedQuestion> {
  const [lexemes, newest] = await Promise.all([
    db.query<QuestionLexeme>(
      `select place::integer, lexeme, positions
       from json_array_elements_text($2::json) with ordinality as configured (language, place)
       cross join lateral unnest(to_tsvector(language::regconfig, $1))`,
      [question.words, JSON.stringify(question.languages)],
    ),
    db.query<{ space_id: string; revision: number | null; stored: number }>(
      `select asked.space_id, (select max(revision) from chunks where space_id = asked.space_id::uuid) as revision,
         (select reltuples from pg_class where oid = 'chunks'::regclass) as stored
       from json_array_elements_text($1::json) as asked (space_id)`,
      [JSON.stringify(spaceIds)],
    ),
  ])
  const revisions = newest.rows.flatMap(({ space_id, revision }) =>
    revision ? [{ space_id, revision }] : [],
  )
  return { lexemes: lexemes.rows, revisions, stored: newest.rows[0]?.stored ?? 0 }
}

/** Stores passages of one entity. One whose ordinal is taken is weighed anew and stays what it was otherwise. */
export async function storeChunks(
  tx: Queryable,
  owner: ChunkOwner,
  chunks: readonly NewChunk[],
  analysis: Analysis,
): Promise<void> {
  await tx.query(
    `insert into chunks (space_id, entity_type, entity_id, title, ordinal, heading_path, text, start_line, end_line,
       fingerprint, analysis, tsv, average_length, around, bm)
     select $1, $2, $3, $4, ordinal, heading_path, text, start_line, end_line, fingerprint, $6, tsv, average_length,
       array_to_tsvector(around), bm
     from json_to_recordset($5::json) as given (
       ordinal integer, heading_path text[], text text, start_line integer, end_line integer, fingerprint text,
       tsv tsvector, average_length integer, around text[], bm sparsevec
     )
     order by ordinal
     on conflict (entity_id, ordinal) do update
     set bm = excluded.bm, around = excluded.around, average_length = excluded.average_length`,
    [owner.space_id, owner.entity_type, owner.entity_id, owner.title, JSON.stringify(chunks), analysis.name],
  )
}

export type StoredChunk = ChunkOwner &
  Omit<NewChunk, 'tsv' | 'around' | 'bm' | 'average_length'> & {
    analysis: string
    /** Whether it is weighed for the average length of its Space as it is now. */
    well_weighed: boolean
  }

/** Of ordinals: `from` is in it, `to` is not. */
export type PassageRange = { from: number; to: number }

/** The passages of an entity in a range, in order. */
export async function listChunks(
  tx: Queryable,
  entityId: string,
  { from, to }: PassageRange,
): Promise<StoredChunk[]> {
  const { rows } = await tx.query<StoredChunk>(
    `select space_id, entity_type, entity_id, title, ordinal, heading_path, text, start_line, end_line,
       fingerprint, analysis, average_length = average_length(space_id, entity_type) as well_weighed
     from chunks
     where entity_id = $1 and ordinal >= $2 and ordinal < $3
     order by ordinal`,
    [entityId, from, to],
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

export type RemovedChunk = {
  space_id: string
  revision: number
  /** Whether it was said, in a conversation or a mail. */
  said: boolean
  lexemes: string[]
  length: number
}

/** All passages, however many. */
export const everyPassage: PassageRange = { from: 0, to: 2 ** 31 - 1 }

/** Deletes the passages of an entity in a range but those to keep, and tells which lexemes went with them. */
export async function deleteChunks(
  tx: Queryable,
  entityId: string,
  keep: readonly number[] = [],
  { from, to }: PassageRange = everyPassage,
): Promise<RemovedChunk[]> {
  const { rows } = await tx.query<RemovedChunk>(
    `delete from chunks
     where entity_id = $1 and ordinal <> all($2::integer[]) and ordinal >= $3 and ordinal < $4
     returning space_id, revision, entity_type in ('conversation', 'mail_message') as said, tsvector_to_array(tsv) as lexemes,
       (select coalesce(sum(cardinality(positions)), 0)::integer from unnest(tsv)) as length`,
    [entityId, keep, from, to],
  )
  return rows
}

/** Marks an entity as one whose passages are not those of its text; false when it has none. */
export async function markDeferred(tx: Queryable, entityId: string): Promise<boolean> {
  const { rows } = await tx.query(
    "update chunks set analysis = 'deferred' where entity_id = $1 and ordinal = 0 returning entity_id",
    [entityId],
  )
  return rows.length > 0
}

/** Entities that are marked so. */
export async function listDeferred(
  db: Queryable,
  limit: number,
): Promise<{ entity_id: string; entity_type: string }[]> {
  const { rows } = await db.query<{ entity_id: string; entity_type: string }>(
    "select entity_id, entity_type from chunks where analysis = 'deferred' limit $1",
    [limit],
  )
  return rows
}

/** PGlite has no autovacuum: reclaims what was replaced and renews the planner's statistics. Not in a transaction. */
export async function vacuumChunks(db: Queryable): Promise<void> {
  await db.query('vacuum (analyze) chunks')
}

const saidIndexes = ['chunks_words_said', 'chunks_words_around']

/** Puts what was said last into the indexes of it; a search reads one by one what is not in them yet. */
export async function mergeSaid(db: Queryable): Promise<void> {
  for (const index of saidIndexes) await db.query('select gin_clean_pending_list($1::regclass)', [index])
}

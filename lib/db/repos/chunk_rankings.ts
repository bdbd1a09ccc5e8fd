// What ranks passages (see migrations/005_search.sql). `lexeme` is Postgres's stem of a word.

import type { Kind } from '../../contract/entities/kind.ts'
import type { Queryable } from '../pool.ts'

export type FoundChunk = {
  space_id: string
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
  /** Passages or entities, as `by_entity` says. */
  limit: number
  by_entity: boolean
  /** Passages of one entity. */
  per_entity: number
  /** Only passages of these; null: of all. */
  among: readonly string[] | null
  /** None of this one. */
  without: string | null
  /** What a passage of a conversation counts, of its score; less than 1: they are ranked beside what is limited. */
  said: number
  /**
   * Whether candidates are looked for by their Space as well as by their words. Without it, what all Spaces hold of the
   * words is visited, which is less work where these Spaces hold most of it.
   */
  narrow: boolean
}

export const shown = `space_id, entity_type, entity_id, ordinal, title, heading_path, text, start_line, end_line`

/** Passages in which a `tsquery` holds, best inner product with the sparse vector first. */
export async function rankChunks(
  db: Queryable,
  scope: Scope,
  { tsquery, vector }: { tsquery: string; vector: string },
): Promise<FoundChunk[]> {
  return await rankForemost(scope, async (head) => {
    const { rows } = await db.query<RankedChunk>(
      `select *
       from rank_chunks($1::uuid[], $2::text[], ${sought(scope, '$3::tsquery')}, $4::sparsevec, $5, $6, $7::uuid[],
         $8::uuid, $9, $10, $11)`,
      [scope.space_ids, scope.kinds, tsquery, vector, ...limitsOf(scope), head, scope.by_entity],
    )
    return rows
  })
}

/** Passages in which the stems of a phrase's words stand in that order, best first as in `rankChunks`. */
export async function rankPhrase(
  db: Queryable,
  scope: Scope,
  { words, vector, languages }: { words: string; vector: string; languages: readonly string[] },
): Promise<FoundChunk[]> {
  return await rankForemost(scope, async (head) => {
    const { rows } = await db.query<RankedChunk>(
      `select found.*
       from (
         select string_agg(phrase::text, ' | ')::tsquery as any_of
         from unnest($12::text[]) as configured (language)
         cross join lateral phraseto_tsquery(language::regconfig, $3) as phrase
         where numnode(phrase) > 0
       ) as phrases
       cross join lateral
         rank_chunks($1::uuid[], $2::text[], ${sought(scope, 'any_of')}, $4::sparsevec, $5, $6, $7::uuid[],
           $8::uuid, $9, $10, $11) as found`,
      [scope.space_ids, scope.kinds, words, vector, ...limitsOf(scope), head, scope.by_entity, languages],
    )
    return rows
  })
}

/** `looked_at`: among how many passages the ranking of this one was made. */
type RankedChunk = FoundChunk & { looked_at: number }

/** Passages looked at for each that is wanted. One entity may have more of the best than are wanted of it. */
const headPerWanted = 20

/** Looks at all passages only where those of a few entities are so many that nothing else is among the first. */
async function rankForemost(
  scope: Scope,
  rank: (head: number | null) => Promise<RankedChunk[]>,
): Promise<FoundChunk[]> {
  const head = scope.limit * headPerWanted
  const ranked = await rank(head)
  const isAll = (ranked[0]?.looked_at ?? 0) < head
  const found = lastWanted(ranked, scope) === undefined && !isAll ? await rank(null) : ranked
  return found.map(({ looked_at, ...chunk }) => chunk)
}

/** The last passage of as many as are wanted, in a ranking; undefined where there are fewer. */
export function lastWanted<Chunk extends FoundChunk>(
  ranked: readonly Chunk[],
  { limit, by_entity, said }: Scope,
): Chunk | undefined {
  const counted = ranked.filter(({ entity_type }) => said === 1 || entity_type !== 'conversation')
  if (!by_entity) return counted[limit - 1]
  const firsts = new Map<string, Chunk>()
  for (const chunk of counted) if (!firsts.has(chunk.entity_id)) firsts.set(chunk.entity_id, chunk)
  return [...firsts.values()][limit - 1]
}

type LinkedChunk = FoundChunk & { own: number }

/**
 * The best passage of each entity that the hits link to and that is not found: `own` is its own score, `score` what the
 * links give it, at most a fifth of a hit's.
 */
export async function rankLinked(
  db: Queryable,
  scope: Scope,
  hits: { vector: string; ids: readonly string[]; scores: readonly number[]; found: readonly string[] },
): Promise<LinkedChunk[]> {
  const { rows } = await db.query<LinkedChunk>(
    `select *
     from rank_linked($1::uuid[], $2::text[], $3::uuid[], $4::float8[], $5::uuid[], $6::sparsevec, $7, $8::uuid[],
       $9::uuid)`,
    [
      scope.space_ids,
      scope.kinds,
      hits.ids,
      hits.scores,
      hits.found,
      hits.vector,
      scope.limit,
      scope.among,
      scope.without,
    ],
  )
  return rows
}

const sought = ({ narrow }: Scope, query: string) => (narrow ? `within_spaces(${query}, $1::uuid[])` : query)

const limitsOf = ({ per_entity, limit, among, without, said }: Scope) => [
  per_entity,
  limit,
  among,
  without,
  said,
]

type EntityFilter = {
  space_ids: readonly string[]
  /** Values of the kinds' status; null: any. */
  statuses: readonly string[] | null
  /** Last changed at or after this time, and before that one; ISO 8601. */
  changed_after: string | null
  changed_before: string | null
  /** All of them, in the form in which tags are compared; null: any. */
  tags: readonly string[] | null
}

/**
 * The ids of what the filter lets through; a status is one that only some kinds have, conversations none; tags are those
 * of pages.
 */
export async function listFiltered(
  db: Queryable,
  kinds: readonly Kind[],
  { space_ids, statuses, changed_after, changed_before, tags }: EntityFilter,
): Promise<string[]> {
  const when = (column: string) => `and ($3::timestamptz is null or ${column} >= $3)
       and ($4::timestamptz is null or ${column} < $4)`
  const tagged = `and ($5::text[] is null or exists (
         select from page_properties data where data.page_id = pages.id and data.tags @> $5
       ))`
  const each = kinds.map(
    ({ type, table, statusField }) => `select id
     from ${table}
     where space_id = any($1::uuid[])
       and deleted_at is null
       and ($2::text[] is null or ${statusField ? `${statusField} = any($2)` : 'false'})
       ${when('updated_at')}
       ${type === 'page' ? tagged : 'and $5::text[] is null'}`,
  )
  const said = `select id
     from conversations
     where space_id = any($1::uuid[]) and deleted_at is null and $2::text[] is null and $5::text[] is null
       ${when('last_activity_at')}`

  const { rows } = await db.query<{ id: string }>([...each, said].join(' union all '), [
    space_ids,
    statuses,
    changed_after,
    changed_before,
    tags,
  ])
  return rows.map(({ id }) => id)
}

export type NearQuery = {
  space_id: string
  entity_types: readonly string[]
  /** Analysed words, with single spaces. */
  phrases: readonly string[]
  /** Text search configurations, those of the passages. */
  languages: readonly string[]
  limit: number
}

/**
 * The entities in whose passages most of the phrases stand, then those whose passages have most of the words in
 * common with them; conversations are none. For a caller inside a transaction.
 */
export async function findNearTexts(
  tx: Queryable,
  query: NearQuery,
): Promise<{ entity_type: string; entity_id: string }[]> {
  const { rows } = await tx.query<{ entity_type: string; entity_id: string }>(
    `with configured as materialized (
       select language::regconfig as config
       from unnest($4::text[]) as given (language)
     ), phrases as materialized (
       select phrase, string_agg(query::text, ' | ')::tsquery as query
       from unnest($3::text[]) as given (phrase)
       cross join configured
       cross join lateral phraseto_tsquery(config, phrase) as query
       where numnode(query) > 0
       group by phrase
     ), asked as materialized (
       select
         (select string_agg(distinct quote_literal(lexeme), ' | ')::tsquery
          from configured
          cross join lateral unnest(to_tsvector(config, all_of))) as query,
         bm25_vector(to_tsvector((select config from configured limit 1), all_of), '', '', average_length($1)) as vector
       from array_to_string($3::text[], ' ') as all_of
     ), exact as (
       select c.entity_type, c.entity_id, 0 as place, -count(distinct phrase)::double precision as distance
       from phrases
       join chunks c on words_in_space(c.tsv, c.space_id) @@ within_spaces(phrases.query, array[$1::uuid])
       where c.space_id = $1 and c.entity_type = any($2) and c.entity_type <> 'conversation'
       group by c.entity_type, c.entity_id
       order by distance
       limit $5
     ), near as (
       select c.entity_type, c.entity_id, 1 as place, c.bm <#> asked.vector as distance
       from asked
       join chunks c on words_in_space(c.tsv, c.space_id) @@ within_spaces(asked.query, array[$1::uuid])
       where c.space_id = $1 and c.entity_type = any($2) and c.entity_type <> 'conversation'
       order by distance
       limit $5 * 3
     )
     select entity_type, entity_id
     from (select * from exact union all select * from near) as found
     group by entity_type, entity_id
     order by min(place), min(distance), entity_id
     limit $5`,
    [query.space_id, query.entity_types, query.phrases, query.languages, query.limit],
  )
  return rows
}

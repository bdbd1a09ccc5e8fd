// Passages that are found by a name or by what is written in them, not by the weights of their words.

import type { Queryable } from '../pool.ts'
import { type FoundChunk, type Scope, shown } from './chunk_rankings.ts'

/** The first passages of entities whose title contains a text, shortest title first. */
export async function findByTitle(db: Queryable, scope: Scope, text: string): Promise<FoundChunk[]> {
  const { rows } = await db.query<FoundChunk>(
    `select ${shown}, (1.0 / (1 + length(title)))::real as score
     from chunks
     where space_id = any($1::uuid[])
       and ordinal = 0
       and strpos(lower(title), lower($2)) > 0
       and ($3::text[] is null or entity_type = any($3))
       and ($5::uuid[] is null or entity_id in (select unnest($5)))
       and ($6::uuid is null or entity_id <> $6)
     order by length(title), entity_id
     limit $4`,
    [scope.space_ids, text, scope.kinds, scope.limit, scope.among, scope.without],
  )
  return rows
}

/** Passages whose text is searched character by character, the newest first: about 10 ms for 1,000. */
const maxScanned = 20_000

/**
 * The passages in which the words of a text follow each other, whatever stands between them, the newest first; for a text
 * without words, those that contain it.
 */
export async function findByText(db: Queryable, scope: Scope, text: string): Promise<FoundChunk[]> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  const pattern = `(?:^|[^[:alnum:]])${words.join('[^[:alnum:]]+')}(?:$|[^[:alnum:]])`
  const sign = words.length === 0 || /^[^\p{L}\p{N}]|[^\p{L}\p{N}\s.?!]$/u.test(text)
  const { rows } = await db.query<FoundChunk>(
    `select ${shown}, 0::real as score
     from (
       select *
       from chunks
       where space_id = any($1::uuid[])
         and ($3::text[] is null or entity_type = any($3))
         and ($5::uuid[] is null or entity_id in (select unnest($5)))
         and ($6::uuid is null or entity_id <> $6)
       order by revision desc
       limit ${maxScanned}
     ) as newest
     where strpos(lower(text), lower($2)) > 0
       and ($7::text is null or lower(text) ~ $7)
     order by entity_type = 'conversation', revision desc
     limit $4`,
    [
      scope.space_ids,
      sign ? text : words.reduce((one, other) => (other.length > one.length ? other : one)),
      scope.kinds,
      scope.limit,
      scope.among,
      scope.without,
      sign ? null : pattern,
    ],
  )
  return rows
}

/** Of the given entities, those in which a `tsquery` holds somewhere. */
export async function listHolding(db: Queryable, ids: readonly string[], tsquery: string): Promise<string[]> {
  const { rows } = await db.query<{ entity_id: string }>(
    'select distinct entity_id from chunks where entity_id = any($1::uuid[]) and tsv @@ $2::tsquery',
    [ids, tsquery],
  )
  return rows.map(({ entity_id }) => entity_id)
}

/**
 * The first passages of entities that have one of the names, normalised: titles before aliases before files, and the one
 * that is `whole` before the others. `exact` says whether it is that one.
 */
export async function findByName(
  db: Queryable,
  scope: Omit<Scope, 'narrow'>,
  { whole, others }: { whole: string; others: readonly string[] },
): Promise<(FoundChunk & { exact: boolean })[]> {
  const { rows } = await db.query<FoundChunk & { exact: boolean }>(
    `select ${shown}, 0::real as score, exact
     from (
       select entity_id as id, min(case source when 'title' then 0 when 'alias' then 1 else 2 end) as place,
         bool_or(name = $2) as exact
       from entity_names
       where space_id = any($1::uuid[])
         and name = any($3::text[] || $2)
         and source <> 'former'
         and not hidden
       group by entity_id
     ) as named
     join chunks on chunks.entity_id = named.id and chunks.ordinal = 0
     where space_id = any($1::uuid[])
       and ($4::text[] is null or entity_type = any($4))
       and ($6::uuid[] is null or entity_id in (select unnest($6)))
       and ($7::uuid is null or entity_id <> $7)
     order by exact desc, place, revision desc
     limit $5`,
    [scope.space_ids, whole, others, scope.kinds, scope.limit, scope.among, scope.without],
  )
  return rows
}

// What is counted of passages: in how many each lexeme stands, and how long they are.

import type { Queryable } from '../pool.ts'

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

/** In how many passages of a Space a lexeme stands, in how many of them it was said, and how often it stands there. */
export type CountedLexeme = { lexeme: string; count: number; said: number; times: number }

/** Of the passages written after one revision and up to another. */
export async function countLexemes(
  db: Queryable,
  range: { space_id: string; after: number; upto: number },
): Promise<CountedLexeme[]> {
  const { rows } = await db.query<CountedLexeme>(
    `select word as lexeme, sum(ndoc)::integer as count, coalesce(sum(ndoc) filter (where said), 0)::integer as said,
       sum(nentry)::integer as times
     from (values (false, 'not in'), (true, 'in')) as part (said, kind)
     cross join lateral ts_stat(format(
       'select tsv from chunks where space_id = %L and revision > %s and revision <= %s and entity_type %s %s',
       $1::uuid, $2::bigint, $3::bigint, kind, '(''conversation'', ''mail_message'')'))
     group by word`,
    [range.space_id, range.after, range.upto],
  )
  return rows
}

/** The average length that passages of the Spaces are weighed for (see migrations/005_search.sql), in lexemes. */
export async function listAverageLengths(
  db: Queryable,
  spaceIds: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await db.query<{ id: string; average: number }>(
    `select id, average_length(id) as average
     from spaces
     where id = any($1::uuid[])`,
    [spaceIds],
  )
  return new Map(rows.map(({ id, average }) => [id, average]))
}

/** From now on passages of the Space are weighed for this average; those that are stored have to be indexed anew. */
export async function storeAverageLength(db: Queryable, spaceId: string, average: number): Promise<void> {
  await db.query(
    `insert into passage_lengths (space_id, average)
     select id, $2
     from spaces
     where id = $1
     on conflict (space_id) do update set average = excluded.average`,
    [spaceId, average],
  )
}

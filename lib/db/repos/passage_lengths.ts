// The average length of passages that a Space's are weighed for (see migrations/016_passage_lengths.sql).

import type { Queryable } from '../pool.ts'

/** In lexemes, by Space. */
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

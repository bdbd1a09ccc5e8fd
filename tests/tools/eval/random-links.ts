import type { Database } from '../../../lib/db/pool.ts'

/** Links every document of a Space to `count` others, so that what links do to a ranking can be seen at its worst. */
export async function linkAtRandom(database: Database, spaceId: string, count: number): Promise<void> {
  await database.query(
    `insert into links (space_id, from_type, from_id, ordinal, name, embed, to_type, to_id)
     select $1, c.entity_type, c.entity_id, n, 'a name', false, target.entity_type, target.entity_id
     from chunks c
     cross join generate_series(1, $2::integer) as n
     cross join lateral (
       select entity_type, entity_id
       from chunks
       where space_id = $1 and ordinal = 0 and entity_id <> c.entity_id
         and entity_id > md5(c.entity_id::text || n)::uuid
       order by entity_id
       limit 1
     ) as target
     where c.space_id = $1 and c.ordinal = 0`,
    [spaceId, count],
  )
}

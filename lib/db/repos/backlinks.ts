import type { Kind } from '../../contract/entities/kind.ts'
import type { Queryable } from '../pool.ts'

export type TitledBacklink = { entity_type: string; entity_id: string; title: string }

/** The entities that link to one, each once, with their titles; what is in the trash is left out. */
export async function listBacklinks(
  db: Queryable,
  kinds: readonly Kind[],
  { space_id, id }: { space_id: string; id: string },
  limit = 50,
): Promise<TitledBacklink[]> {
  const titles = kinds.map(
    ({ table, type }) => `select title
       from ${table}
       where from_type = '${type}' and space_id = $1 and id = from_id and deleted_at is null`,
  )
  const { rows } = await db.query<TitledBacklink>(
    `select from_type as entity_type, from_id as entity_id, title
     from (
       select distinct from_type, from_id
       from links
       where space_id = $1 and to_id = $2 and from_id <> $2
       order by from_id
       limit $3
     ) as linking
     cross join lateral (${titles.join(' union all ')}) as titled
     order by from_id`,
    [space_id, id, limit],
  )
  return rows
}

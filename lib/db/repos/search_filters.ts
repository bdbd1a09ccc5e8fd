import type { Kind } from '../../entities/kind.ts'
import type { Queryable } from '../pool.ts'

export type EntityFilter = {
  space_ids: readonly string[]
  /** Values of the kinds' status; null: any. */
  statuses: readonly string[] | null
  /** Last changed at or after this time, and before that one; ISO 8601. */
  changed_after: string | null
  changed_before: string | null
}

/** The ids of what the filter lets through; a status is one that only some kinds have, conversations none. */
export async function listFiltered(
  db: Queryable,
  kinds: readonly Kind[],
  { space_ids, statuses, changed_after, changed_before }: EntityFilter,
): Promise<string[]> {
  const when = (column: string) => `and ($3::timestamptz is null or ${column} >= $3)
       and ($4::timestamptz is null or ${column} < $4)`
  const each = kinds.map(
    ({ table, statusField }) => `select id
     from ${table}
     where space_id = any($1::uuid[])
       and deleted_at is null
       and ($2::text[] is null or ${statusField ? `${statusField} = any($2)` : 'false'})
       ${when('updated_at')}`,
  )
  const said = `select id
     from conversations
     where space_id = any($1::uuid[]) and deleted_at is null and $2::text[] is null
       ${when('last_activity_at')}`

  const { rows } = await db.query<{ id: string }>([...each, said].join(' union all '), [
    space_ids,
    statuses,
    changed_after,
    changed_before,
  ])
  return rows.map(({ id }) => id)
}

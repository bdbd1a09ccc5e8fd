import type { Kind } from '../../entities/kind.ts'
import type { Queryable } from '../pool.ts'

export type EntityFilter = {
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

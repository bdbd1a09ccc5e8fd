import type { Kind } from '../../contract/entities/kind.ts'
import type { Trash } from '../../contract/entities.ts'
import type { Queryable } from '../pool.ts'

/** What was deleted in a Space, of all kinds. */
export function createTrashRepo(db: Queryable) {
  return {
    /** The latest first, at most `limit`. */
    async list(kinds: readonly Kind[], spaceId: string, limit: number): Promise<Trash['items']> {
      const each = kinds.map(
        ({ type, table }) => `select '${type}' as entity_type, id, title, deleted_at, updated_by as deleted_by
         from ${table}
         where space_id = $1 and deleted_at is not null`,
      )
      const { rows } = await db.query<Trash['items'][number]>(
        `${each.join(' union all ')}
         order by deleted_at desc, id
         limit $2`,
        [spaceId, limit],
      )
      return rows
    },
  }
}

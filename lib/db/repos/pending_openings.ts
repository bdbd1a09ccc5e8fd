import { v7 as uuid } from 'uuid'
import type { PendingOpening } from '../../contract/companion/open-desk.ts'
import type { Queryable } from '../pool.ts'

/** Drafts that are to be opened in a browser, once. */
export function createPendingOpeningsRepo(db: Queryable) {
  return {
    /** Stores one for a draft; the same one again where there is one. What is decided by now is removed. */
    async insert(draft: { pending_change_id: string; space_id: string }): Promise<PendingOpening> {
      await db.query(
        `delete from pending_openings
         using pending_changes
         where pending_changes.id = pending_openings.pending_change_id and pending_changes.status <> 'pending'`,
      )
      const { rows } = await db.query<PendingOpening>(
        `insert into pending_openings (id, pending_change_id, space_id)
         values ($1, $2, $3)
         on conflict (pending_change_id) do update set space_id = excluded.space_id
         returning ${columns}`,
        [uuid(), draft.pending_change_id, draft.space_id],
      )
      return rows[0]!
    },

    /** Of drafts that still wait, the latest first. */
    async list(limit: number): Promise<PendingOpening[]> {
      const { rows } = await db.query<PendingOpening>(
        `select ${columns}
         from pending_openings
         where exists (
           select from pending_changes
           where pending_changes.id = pending_openings.pending_change_id and pending_changes.status = 'pending'
         )
         order by id desc
         limit $1`,
        [limit],
      )
      return rows
    },

    /** Removes it and returns it; null where another browser was first. */
    async take(id: string): Promise<PendingOpening | null> {
      const { rows } = await db.query<PendingOpening>(
        `delete from pending_openings where id = $1 returning ${columns}`,
        [id],
      )
      return rows[0] ?? null
    },
  }
}

const columns = 'id, pending_change_id, space_id, created_at'

import { notFound } from '../core/errors.ts'
import type { Queryable } from '../db/pool.ts'
import { createConversationsRepo } from '../db/repos/conversations.ts'
import { createTurnsRepo, type TurnRow } from '../db/repos/turns.ts'

/** A turn goes with its conversation when that is deleted, and comes back with it. Throws a 404 `AppError`. */
export async function findTurn(db: Queryable, id: string): Promise<TurnRow> {
  const row = await createTurnsRepo(db).find(id)
  const conversation = row && (await createConversationsRepo(db).findAnywhere(row.conversation_id))
  if (!row || !conversation) throw notFound('turn', id)
  return row
}

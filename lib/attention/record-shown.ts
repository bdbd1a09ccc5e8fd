import type { Queryable } from '../db/pool.ts'
import { createAttentionRepo } from '../db/repos/attention.ts'
import { createPendingChangesRepo } from '../db/repos/pending_changes.ts'
import { notFound } from '../errors.ts'

/** Records that a draft is shown to the owner; the first time counts. Throws a 404 `AppError`. */
export async function recordShown(db: Queryable, id: string): Promise<void> {
  const change = await createPendingChangesRepo(db).find(id, { space_ids: null, agent_id: null })
  if (!change) throw notFound('pending change', id)
  await createAttentionRepo(db).recordShown(id)
}

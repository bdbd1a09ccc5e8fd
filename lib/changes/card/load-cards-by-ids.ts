import type { Card } from '../../contract/changes/card.ts'
import type { Database } from '../../db/pool.ts'
import { createPendingChangeListsRepo } from '../../db/repos/pending_change_lists.ts'
import type { LoadCards } from './load-cards.ts'

export type CardIds = {
  space_id: string
  /** Left out: of any agent. */
  agent_id?: string
  ids: readonly string[]
}

/** The cards of those of the ids that are drafts in the Space, oldest first. */
export async function loadCardsByIds(
  db: Database,
  loadCards: LoadCards,
  { space_id, agent_id, ids }: CardIds,
): Promise<Card[]> {
  if (ids.length === 0) return []
  const within = { space_id, agent_id: agent_id ?? null }
  return await loadCards(db, await createPendingChangeListsRepo(db).listByIds(within, ids))
}

import type { PendingChangeWithCard } from '../contract/changes/pending-change.ts'
import { type AgentActor, actorName } from '../core/actor.ts'
import { notFound } from '../core/errors.ts'
import type { Database } from '../db/pool.ts'
import { createPendingChangesRepo } from '../db/repos/pending_changes.ts'
import { alreadyDecided } from './approval-errors.ts'
import type { LoadCards } from './card/load-cards.ts'
import { withCard } from './card/with-cards.ts'
import type { Ledger } from './ledger.ts'

export type RetractChange = (actor: AgentActor, id: string) => Promise<PendingChangeWithCard>

export type RetractDeps = { database: Database; loadCards: LoadCards; ledger: Ledger }

/**
 * Withdraws a draft of the agent's own that waits; withdrawing it again gives the same answer. Throws `AppError`: 404
 * for one that is not the agent's, 409 `already_decided`.
 */
export function createRetractChange({ database, loadCards, ledger }: RetractDeps): RetractChange {
  return async (actor, id) => {
    const within = { space_ids: actor.spaces, agent_id: actor.agent_id }
    const retracted = await database.transaction(async (tx) => {
      const changes = createPendingChangesRepo(tx)
      const own = await changes.find(id, within)
      const change = own && (await changes.lock(id))
      if (!change) throw notFound('draft of yours', id)
      if (change.status === 'retracted') return change
      if (change.status !== 'pending') throw alreadyDecided(change)
      return await ledger.close(tx, change, { status: 'retracted', decided_by: actorName(actor) })
    })
    return await withCard(database, loadCards, retracted)
  }
}

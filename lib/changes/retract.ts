import { type AgentActor, actorName } from '../auth/actor.ts'
import type { PendingChange } from '../contract/card.ts'
import type { Database } from '../db/pool.ts'
import { createPendingChangesRepo } from '../db/repos/pending_changes.ts'
import { notFound } from '../errors.ts'
import { alreadyDecided } from './decide.ts'
import type { Ledger } from './ledger.ts'

export type RetractChange = (actor: AgentActor, id: string) => Promise<PendingChange>

/**
 * Withdraws a draft of the agent's own that waits; withdrawing it again gives the same answer. Throws `AppError`: 404
 * for one that is not the agent's, 409 `already_decided`.
 */
export function createRetractChange({
  database,
  ledger,
}: {
  database: Database
  ledger: Ledger
}): RetractChange {
  return async (actor, id) => {
    const within = { space_ids: actor.spaces, agent_id: actor.agent_id }
    return await database.transaction(async (tx) => {
      const changes = createPendingChangesRepo(tx)
      const own = await changes.find(id, within)
      const change = own && (await changes.lock(id))
      if (!change) throw notFound('draft of yours', id)
      if (change.status === 'retracted') return change
      if (change.status !== 'pending') throw alreadyDecided(change)
      return await ledger.close(tx, change, { status: 'retracted', decided_by: actorName(actor) })
    })
  }
}

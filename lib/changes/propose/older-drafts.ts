import type { AgentActor } from '../../actor.ts'
import { makesNew } from '../../contract/changes/change-status.ts'
import type { PendingChange } from '../../contract/changes/pending-change.ts'
import type { Queryable } from '../../db/pool.ts'
import { createPendingChangesRepo } from '../../db/repos/pending_changes.ts'
import { conflict, invalid, notFound } from '../../errors.ts'
import type { Proposal } from './proposal.ts'

/**
 * Locks the drafts that a proposal takes the place of: what the agent has waiting for the same entity, oldest first,
 * or, where the proposal names the draft that it revises, for that one's. Throws `AppError`: 404 for a draft that is
 * not the agent's, 400 for one of another entity or action, 409 `already_decided`.
 */
export async function lockOlderDrafts(
  tx: Queryable,
  { agent_id }: AgentActor,
  proposal: Proposal,
): Promise<PendingChange[]> {
  const { space_id, entity_type, entity_id, action, supersedes } = proposal
  const changes = createPendingChangesRepo(tx)
  if (supersedes === undefined) {
    if (makesNew(action) || !entity_id) return []
    return await changes.lockWaiting({ space_id, agent_id, entity_type, entity_id })
  }

  const revised = await changes.find(supersedes, { space_ids: [space_id], agent_id })
  if (!revised) throw notFound('draft of yours', supersedes)
  checkRevises(proposal, revised)
  const waiting = await changes.lockWaiting(revised)
  if (!waiting.some(({ id }) => id === supersedes)) {
    const current = (await changes.find(supersedes, { space_ids: [space_id], agent_id })) ?? revised
    throw conflict('already_decided', `The draft ${supersedes} is already ${current.status}.`, { current })
  }
  return waiting
}

function checkRevises({ entity_type, entity_id, action }: Proposal, revised: PendingChange): void {
  const { id } = revised
  if (revised.entity_type !== entity_type || (entity_id && entity_id !== revised.entity_id)) {
    throw invalid(`The draft ${id} is of the ${revised.entity_type} ${revised.entity_id}. Revise that one.`)
  }
  if (makesNew(revised.action) !== makesNew(action)) {
    throw invalid(`The draft ${id} is a ${revised.action}. Revise it as such, or retract it.`)
  }
}

// What an agent may do with a draft of its own that waits: revise it, or retract it.

import type { PendingChangeWithCard } from '../../contract/changes/pending-change.ts'
import type { AgentActor } from '../../core/actor.ts'
import { notFound } from '../../core/errors.ts'
import type { Database } from '../../db/pool.ts'
import { createPendingChangesRepo } from '../../db/repos/pending_changes.ts'
import { alreadyDecided } from '../approve.ts'
import { type LoadCards, withCard } from '../card/load-cards.ts'
import type { DraftStates } from '../draft-states.ts'
import type { Proposal } from './proposal.ts'
import type { ProposeChange } from './propose.ts'

export type Revision = { id: string; reason?: string | undefined } & Pick<Proposal, 'payload' | 'edits'>

export type ReviseChange = (actor: AgentActor, revision: Revision) => Promise<PendingChangeWithCard>

/**
 * Puts a newer draft in the place of one of the agent's own that waits; omitted fields stay as drafted. Throws as a
 * proposal does, and a 404 `AppError` for a draft that is not the agent's.
 */
export function createReviseChange(database: Database, proposeChange: ProposeChange): ReviseChange {
  return async (actor, { id, payload, edits, reason }) => {
    const within = { space_ids: actor.spaces, agent_id: actor.agent_id }
    const draft = await createPendingChangesRepo(database).find(id, within)
    if (!draft) throw notFound('draft of yours', id)
    const { space_id, entity_type, action } = draft
    return await proposeChange(actor, {
      space_id,
      entity_type,
      action,
      payload,
      edits,
      supersedes: id,
      reason: reason ?? draft.reason,
      turn: null,
      tool_use_id: null,
    })
  }
}

export type RetractChange = (actor: AgentActor, id: string) => Promise<PendingChangeWithCard>

export type RetractDeps = { database: Database; loadCards: LoadCards; states: DraftStates }

/**
 * Withdraws a draft of the agent's own that waits; withdrawing it again gives the same answer. Throws `AppError`: 404
 * for one that is not the agent's, 409 `already_decided`.
 */
export function createRetractChange({ database, loadCards, states }: RetractDeps): RetractChange {
  return async (actor, id) => {
    const within = { space_ids: actor.spaces, agent_id: actor.agent_id }
    const retracted = await database.transaction(async (tx) => {
      const changes = createPendingChangesRepo(tx)
      const own = await changes.find(id, within)
      const change = own && (await changes.lock(id))
      if (!change) throw notFound('draft of yours', id)
      if (change.status === 'retracted') return change
      if (change.status !== 'pending') throw alreadyDecided(change)
      return await states.retract(tx, change, actor)
    })
    return await withCard(database, loadCards, retracted)
  }
}

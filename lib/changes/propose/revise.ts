import type { PendingChangeWithCard } from '../../contract/changes/pending-change.ts'
import type { AgentActor } from '../../core/actor.ts'
import { notFound } from '../../core/errors.ts'
import type { Database } from '../../db/pool.ts'
import { createPendingChangesRepo } from '../../db/repos/pending_changes.ts'
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

// Drafts of one turn without a model: a turn that has ended, and proposals made as if it were running.

import type { Proposal } from '../../lib/changes/propose/proposal.ts'
import type { PendingChange } from '../../lib/contract/changes/pending-change.ts'
import type { AgentActor } from '../../lib/core/actor.ts'
import type { TestApp } from './build-app.ts'

export const companion: AgentActor = {
  kind: 'agent',
  agent_id: '00000000-0000-7000-8000-000000000001',
  slug: 'companion',
  capabilities: { read: true, suggest: true, write: false },
  spaces: null,
}

export type Propose = (
  proposal: Omit<Proposal, 'space_id' | 'reason' | 'turn' | 'tool_use_id'>,
) => Promise<PendingChange>

/** Proposes in a turn of its own: everything proposed through it is one changeset. */
export async function beginTurn(
  { owner, deps }: TestApp,
  spaceId: string,
  agent: AgentActor = companion,
): Promise<Propose> {
  const { text } = await owner.post(`/api/spaces/${spaceId}/companion/turn`).send({ text: 'Good evening' })
  const [, id, conversation_id] = /"turn_id":"([^"]+)","conversation_id":"([^"]+)"/.exec(text) ?? []
  if (!id || !conversation_id) throw new Error(`no turn began: ${text.slice(0, 200)}`)

  let calls = 0
  return async (proposal) =>
    await deps.changes.proposeChange(agent, {
      ...proposal,
      space_id: spaceId,
      reason: '',
      turn: { id, conversation_id },
      tool_use_id: `call-${++calls}`,
    })
}

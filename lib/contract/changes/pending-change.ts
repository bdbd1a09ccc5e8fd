import { z } from 'zod'
import { actor, fields, id, time, version } from '../scalars.ts'
import { Card } from './card.ts'
import { ChangeAction, ChangeStatus } from './change-status.ts'
import { Conflict, Decision, DroppedChange, succession } from './decision.ts'
import { Provenance } from './provenance.ts'

/** A pending change as the API returns it. */
export const PendingChange = z.object({
  id,
  space_id: id,
  agent_id: id,
  conversation_id: id.nullable(),
  turn_id: id.nullable(),
  tool_use_id: z.string().nullable(),
  changeset_id: id,
  entity_type: z.string(),
  entity_id: id,
  action: ChangeAction,
  payload: fields,
  payload_sha256: z.string(),
  base_version: version.nullable(),
  reason: z.string(),
  status: ChangeStatus,
  created_at: time,
  decided_at: time.nullable(),
  decided_by: actor.nullable(),
  decision: Decision.nullable(),
  provenance: Provenance,
  result_version: version.nullable(),
  ...succession,
  conflicts: z.array(Conflict),
  drops: z.array(DroppedChange).describe('What drafts that it replaces would change, and it would not'),
})
export type PendingChange = z.infer<typeof PendingChange>

export const PendingChangeWithCard = PendingChange.extend({ card: Card })
export type PendingChangeWithCard = z.infer<typeof PendingChangeWithCard>

/** What an agent that may not read learns of a draft that it made: that it is stored, and none of the Space's texts. */
export const DraftReceipt = PendingChange.pick({
  id: true,
  space_id: true,
  entity_type: true,
  entity_id: true,
  action: true,
  payload_sha256: true,
  status: true,
  created_at: true,
})

/** A draft as its agent, or the owner, may see it. */
export const DraftAnswer = z.union([PendingChangeWithCard, DraftReceipt])
export type DraftAnswer = z.infer<typeof DraftAnswer>

/** What every decision on one draft answers: the draft to look at now. */
export const DecidedChange = PendingChangeWithCard.extend({
  successor: PendingChangeWithCard.nullable().describe('The one that `superseded_by` names'),
})
export type DecidedChange = z.infer<typeof DecidedChange>

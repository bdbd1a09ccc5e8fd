import { z } from 'zod'
import { id } from '../scalars.ts'
import { ChangeStatus } from './change-status.ts'
import { PendingChangeWithCard } from './pending-change.ts'

/** Another draft of the changeset that makes what this one refers to. */
const Need = z.object({
  pending_change_id: id,
  entity_type: z.string(),
  entity_id: id,
  status: ChangeStatus.describe('Met once it is approved'),
  summary: z.string().describe('One plain line of it, in the server’s words'),
})

export const ChangesetItem = PendingChangeWithCard.extend({ needs: z.array(Need) })
export type ChangesetItem = z.infer<typeof ChangesetItem>

/** The drafts of one turn, or of one call from outside, in an order in which each can be applied after those before it. */
export const Changeset = z.object({
  id,
  space_id: id,
  agent_id: id,
  conversation_id: id.nullable(),
  turn_id: id.nullable(),
  items: z.array(ChangesetItem).describe('Without those that another one has replaced'),
})
export type Changeset = z.infer<typeof Changeset>

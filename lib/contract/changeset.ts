import type { Card, ChangeStatus, PendingChange } from './card.ts'

/** Another draft of the changeset that makes what this one refers to. Met once that one is approved. */
export type Need = {
  pending_change_id: string
  entity_type: string
  entity_id: string
  status: ChangeStatus
  /** The server's plain line of it. */
  summary: string
}

export type ChangesetItem = PendingChange & { card: Card; needs: Need[] }

/** The drafts of one turn, or of one call from outside, in an order in which each can be applied after those before it. */
export type Changeset = {
  id: string
  space_id: string
  agent_id: string
  conversation_id: string | null
  turn_id: string | null
  /** Without those that another one has replaced. */
  items: ChangesetItem[]
}

// What a person is shown of a pending change. Made by the server from the stored payload and the current row; no
// word of it is the agent's but `note`, which is plain text and says whose it is.

import type { ChangeSince, Conflict, Decision, Derivation } from './decision.ts'
import type { UndoMark } from './history.ts'

export type ChangeAction = 'create' | 'update' | 'delete'

export type ChangeStatus =
  | 'pending'
  | 'approved'
  | 'rejected'
  | 'superseded'
  | 'retracted'
  | 'expired'
  | 'obsolete'

export type CardField = {
  name: string
  /** `null` as a value and an absent side are told apart by the card's `operation`. */
  before: unknown
  after: unknown
}

export type Card = {
  pending_change_id: string
  changeset_id: string
  operation: ChangeAction
  entity_type: string
  entity_id: string
  title: string
  space: { id: string; name: string }
  /** One plain line: what approving does. */
  summary: string
  fields: CardField[]
  /** The hash of the payload that this card was made from; sent back with the decision. */
  payload_sha256: string
  status: ChangeStatus
  /** Set when the entity has moved on since the draft was made, or is gone (`current_version` null). */
  stale: Stale | null
  /** How it came to be, which one it takes the place of, and which one took its place. */
  derivation: Derivation
  supersedes: string | null
  superseded_by: string | null
  /** What a merge left to the owner: approving needs a choice for each. */
  conflicts: Conflict[]
  agent: { id: string; slug: string; name: string }
  /** The titles of the entities that reference fields name, by id. */
  references: Record<string, string>
  /** The agent's own words. */
  note: string
  created_at: string
  /** Who closed it, when and why; `null` while it waits. `by` is empty where nobody decided. */
  decided: { at: string; by: string; reason: string | null } | null
  /** The undo that took back what was approved, where it still stands. */
  undone: UndoMark | null
  /** Once it is decided: whether it was a drill, which changes nothing whatever is decided. */
  drill: boolean
}

/** `since`: what happened meanwhile, the latest first; left out where only a line is shown. */
export type Stale = { base_version: number; current_version: number | null; since?: ChangeSince[] }

/** A card in a list: all of it but what it would change. */
export type CardLine = Omit<Card, 'fields' | 'references' | 'note' | 'conflicts'>

/** A pending change as the API returns it. */
export type PendingChange = {
  id: string
  space_id: string
  agent_id: string
  conversation_id: string | null
  turn_id: string | null
  tool_use_id: string | null
  changeset_id: string
  entity_type: string
  entity_id: string
  action: ChangeAction
  payload: Record<string, unknown>
  payload_sha256: string
  base_version: number | null
  reason: string
  status: ChangeStatus
  created_at: string
  decided_at: string | null
  decided_by: string | null
  decision: Decision | null
  result_version: number | null
  /** Once it is decided: whether it was a drill. */
  drill: boolean
  derivation: Derivation
  /** The one whose place it takes. */
  supersedes: string | null
  /** The one that took its place, or that holds the rest of it. */
  superseded_by: string | null
  conflicts: Conflict[]
}

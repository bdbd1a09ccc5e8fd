import type { Card } from './card.ts'
import type { AssistantMetadata, Routed, TurnRouting } from './events.ts'
import type { OpenDesk } from './open-desk.ts'

export type Message = {
  id: string
  conversation_id: string
  turn_id: string | null
  body: string
  created_at: string
} & (
  | { role: 'user'; metadata: { view?: { entityType: string; entityId: string }; desk?: OpenDesk } }
  | { role: 'assistant'; metadata: AssistantMetadata }
)

export type CompanionAgent = {
  id: string
  slug: string
  name: string
  mode: 'online' | 'offline'
  model: string
}

/** A message that waits while another one is answered; until then it can be changed or taken back. */
export type QueuedMessage = { turn_id: string; text: string; created_at: string }

/** The conversation in use in a Space, as the rail opens with it. */
export type CompanionState = {
  conversation_id: string
  title: string
  agent: CompanionAgent
  /** Oldest first. */
  messages: Message[]
  /** Whether there are older ones. */
  more: boolean
  /** The cards of the drafts that these messages made, as they stand now. */
  cards: Card[]
  running_turn_id: string | null
  /** How the last turn came to this conversation, if it was routed and that was not undone. */
  last_routing: LastRouting | null
  /** Messages that wait for their turn, the next one first. */
  queued: QueuedMessage[]
  /** For an empty conversation: what could be asked here. */
  questions: string[]
}

/** A turn's answer in one piece, for channels without a screen. */
export type SpokenAnswer = {
  /** Plain text to be said; never empty. */
  text: string
  /** Where the owner approves, while a draft of this turn waits. */
  open_in_browser: string | null
  /** `null` when the message was not taken. */
  turn_id: string | null
  conversation_id: string | null
  routed: Routed | null
  draft_ids: string[]
  stop_reason: string | null
  error: { code: string; message: string; retryable: boolean } | null
}

export type LastRouting = TurnRouting & { turn_id: string; routed: Routed }

export type Conversation = {
  id: string
  space_id: string
  title: string
  /** One line. */
  summary: string
  status: 'active' | 'archived'
  started_at: string
  last_activity_at: string
}

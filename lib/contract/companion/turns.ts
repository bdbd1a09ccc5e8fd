import { z } from 'zod'
import { TurnError, TurnRouting, Usage } from '../events/events.ts'
import { count, id, time } from '../scalars.ts'
import { Conversation } from './companion.ts'

const TurnStatus = z.enum(['queued', 'running', 'done', 'failed', 'stopped'])

/** A turn of a conversation: a message of the owner and the companion's answer. */
export const Turn = z.object({
  id,
  space_id: id,
  conversation_id: id,
  agent_id: id,
  status: TurnStatus,
  idempotency_key: z.string().nullable(),
  attempt: count,
  model: z.string().nullable(),
  stop_reason: z.string().nullable(),
  usage: Usage.nullable(),
  error: TurnError.nullable(),
  stop_requested_at: time.nullable(),
  created_at: time,
  finished_at: time.nullable(),
})
export type Turn = z.infer<typeof Turn>

/** The router's choice of conversation for a turn. */
export const RoutingDecision = z.object({
  id,
  space_id: id,
  turn_id: id,
  conversation_id: id.describe('The chosen conversation'),
  active_id: id.nullable().describe('The previously active conversation'),
  choice: z.enum(['continue', 'resume', 'new']),
  decided_by: TurnRouting.shape.by,
  reason: z.string(),
  known: z.unknown().describe('Input of the router'),
  model: z.string().nullable(),
  answer: z.string().nullable().describe('Answer of the model'),
  duration_ms: count,
  created_at: time,
  undone_at: time.nullable(),
  undone_to: id.nullable().describe('The conversation that the turn was moved to by the undo'),
})
export type RoutingDecision = z.infer<typeof RoutingDecision>

/** Response to undoing a routing decision. */
export const RoutingUndone = z.object({
  decision: RoutingDecision,
  conversation: Conversation,
  from: id.describe('The conversation that the turn was moved from'),
})
export type RoutingUndone = z.infer<typeof RoutingUndone>

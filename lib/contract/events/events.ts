// The events of a turn as they travel to a reader. Names and fields are the wire's.

import { z } from 'zod'
import { Card } from '../changes/card.ts'
import { ResearchEvent } from '../research.ts'
import { count, id } from '../scalars.ts'
import { Effect } from './effects.ts'

/** Token counts of one or more calls, as the Messages API names them. */
export const Usage = z.object({
  input_tokens: count,
  output_tokens: count,
  cache_creation_input_tokens: count,
  cache_read_input_tokens: count,
})
export type Usage = z.infer<typeof Usage>

export const Citation = z.object({
  /** Counted from 1 in the order of the answer; the same passage has the same number. */
  n: z.int().min(1),
  /** `quotation` for words in quotation marks that are in nothing that was read in the turn. */
  kind: z.string(),
  /** `null` for a `quotation`. */
  id: id.nullable(),
  title: z.string(),
  cited_text: z.string(),
  /** Whether a tool returned these words in this turn, as a passage of that source. Never of a conversation. */
  checked: z.boolean(),
  /** The passage, where the source was one. */
  ordinal: count.nullable(),
  /** The characters of the answer that the citation supports. */
  start: count,
  end: count,
})
export type Citation = z.infer<typeof Citation>

/**
 * How a turn came to its conversation: it named it, it goes on in the one in use, it resumed an earlier one, or it
 * began a new one.
 */
export const Routed = z.enum(['named', 'latest', 'resumed', 'new'])
export type Routed = z.infer<typeof Routed>

/** What was decided for a turn that named no conversation. */
export const TurnRouting = z.object({
  decision_id: id,
  /** Who decided: nobody had to, a model, the rules, or what is done when those fail. */
  by: z.enum(['obvious', 'model', 'rules', 'fallback']),
  /** The conversation's title; empty for a new one. */
  title: z.string(),
  /** The conversation that was in use before; `null` when there was none. */
  from: id.nullable(),
})
export type TurnRouting = z.infer<typeof TurnRouting>

/** A tool call, sent once as it begins and once as it ends. */
export const ToolEvent = z.object({
  tool: z.string(),
  tool_use_id: z.string(),
  /** The stage of research that it is a step of; left out: none. */
  parent_id: z.string().optional(),
  /** What a step of a stage is: a call of a tool that searches, of the model, or work of code. */
  substep: z.enum(['mcp_start', 'mcp_result', 'llm_start', 'llm_complete', 'status']).optional(),
  args: z.unknown(),
  status: z.enum(['running', 'done', 'error']),
  summary: z.string().optional(),
  duration_ms: count.optional(),
})
export type ToolEvent = z.infer<typeof ToolEvent>

/** `card`: `null` where the call that stored the draft gave none; `GET /api/pending-changes/:id` has it. */
export const DraftEvent = z.object({ pending_change_id: id, summary: z.string(), card: Card.nullable() })
export type DraftEvent = z.infer<typeof DraftEvent>

/** All that a turn has sent so far. */
export const TurnSnapshot = z.object({
  text: z.string(),
  tools: z.array(ToolEvent),
  citations: z.array(Citation),
  drafts: z.array(DraftEvent),
  status: z.string().nullable(),
  /** The stages of research that this turn carried, each as it is now. */
  research: z.array(ResearchEvent).optional(),
})
export type TurnSnapshot = z.infer<typeof TurnSnapshot>

/** Why a turn failed, or was not accepted. */
export const TurnError = z.object({ code: z.string(), message: z.string(), retryable: z.boolean() })
export type TurnError = z.infer<typeof TurnError>

const ending = {
  draft_ids: z.array(id),
  usage: Usage,
  /** From the beginning of the answer to its end; left out where nobody saw both. */
  duration_ms: count.optional(),
  stop_reason: z.string(),
}

export const TurnEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('turn'),
    data: z.object({
      turn_id: id,
      conversation_id: id,
      /** The companion that answers; left out: the first one. */
      agent_id: id.optional(),
      routed: Routed,
      routing: TurnRouting.optional(),
    }),
  }),
  z.object({ type: z.literal('delta'), data: z.object({ text: z.string() }) }),
  z.object({ type: z.literal('tool'), data: ToolEvent }),
  z.object({ type: z.literal('citation'), data: Citation }),
  z.object({ type: z.literal('draft'), data: DraftEvent }),
  /** What a finished call does to the owner's view; to be done once, not again when a turn is replayed. */
  z.object({ type: z.literal('effect'), data: z.object({ tool_use_id: z.string(), effect: Effect }) }),
  z.object({ type: z.literal('research'), data: ResearchEvent }),
  z.object({ type: z.literal('status'), data: z.object({ message: z.string() }) }),
  /** Replaces whatever was sent before it, `turn` aside. */
  z.object({ type: z.literal('snapshot'), data: TurnSnapshot }),
  z.object({ type: z.literal('done'), data: z.object({ assistant_message_id: id, ...ending }) }),
  z.object({ type: z.literal('error'), data: TurnError }),
])
export type TurnEvent = z.infer<typeof TurnEvent>

/** A call as it is stored with the answer. */
export const ToolTraceEntry = ToolEvent.extend({
  status: z.enum(['done', 'error']),
  summary: z.string().nullable(),
  duration_ms: count,
})
export type ToolTraceEntry = z.infer<typeof ToolTraceEntry>

/** What an assistant message carries besides its text. */
export const AssistantMetadata = z.object({
  tool_trace: z.array(ToolTraceEntry),
  ...ending,
  citations: z.array(Citation),
  model: z.string().nullable(),
  error: TurnError.nullable(),
  research: z.array(ResearchEvent).optional().describe('The stages of research that this turn carried'),
})
export type AssistantMetadata = z.infer<typeof AssistantMetadata>

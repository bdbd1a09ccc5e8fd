// Turn events as sent over the wire.

import { z } from 'zod'
import { Card } from '../changes/card.ts'
import { ChatProduct } from '../imports.ts'
import { GivenMemory } from '../memory.ts'
import { ResearchEvent } from '../research.ts'
import { count, id, time } from '../scalars.ts'
import { Effect } from './effects.ts'

/** Token counts of one or more model calls, with the field names of the Messages API. */
export const Usage = z.object({
  input_tokens: count,
  output_tokens: count,
  cache_creation_input_tokens: count,
  cache_read_input_tokens: count,
})
export type Usage = z.infer<typeof Usage>

export const Citation = z.object({
  /** 1-based number in answer order; the same passage keeps its number. */
  n: z.int().min(1),
  /** Kind of the source; `quotation` for quoted words not found in any content read in the turn. */
  kind: z.string(),
  /** `null` for a `quotation`. */
  id: id.nullable(),
  title: z.string(),
  cited_text: z.string(),
  /** `true` if a tool returned these words in this turn as a passage of the source. Never for a conversation. */
  checked: z.boolean(),
  /** Ordinal of the passage, if the source was a passage. */
  ordinal: count.nullable(),
  /** Character range of the answer supported by the citation. */
  start: count,
  end: count,
})
export type Citation = z.infer<typeof Citation>

/**
 * Assignment of a turn to a conversation: `named` in the request, continued in the `latest`, `resumed` an earlier one,
 * or started a `new` one.
 */
export const Routed = z.enum(['named', 'latest', 'resumed', 'new'])
export type Routed = z.infer<typeof Routed>

/** A Space that a message was routed to. */
export const RoutedSpace = z.object({ id, slug: z.string(), name: z.string() })
export type RoutedSpace = z.infer<typeof RoutedSpace>

/** Routing of a turn whose request named no conversation. */
export const TurnRouting = z.object({
  decision_id: id,
  /** Source of the decision: no alternatives (`obvious`), a model, the rules, or the fallback if those fail. */
  by: z.enum(['obvious', 'model', 'rules', 'fallback']),
  /** Conversation title; empty for a new one. */
  title: z.string(),
  /** Previously active conversation; `null` if there was none. */
  from: id.nullable(),
  /** Space of the conversation. Default: the Space that the message was sent in. */
  space: RoutedSpace.optional(),
})
export type TurnRouting = z.infer<typeof TurnRouting>

/** A tool call, sent when it starts and when it ends. */
export const ToolEvent = z.object({
  tool: z.string(),
  tool_use_id: z.string(),
  /** Research stage that the step belongs to. Default: none. */
  parent_id: z.string().optional(),
  /** Type of a research step: a search tool call, a model call, or a status of other work. */
  substep: z.enum(['mcp_start', 'mcp_result', 'llm_start', 'llm_complete', 'status']).optional(),
  args: z.unknown(),
  status: z.enum(['running', 'done', 'error']),
  summary: z.string().optional(),
  duration_ms: count.optional(),
})
export type ToolEvent = z.infer<typeof ToolEvent>

/** A stored draft. `card` is `null` if the tool call returned none; `GET /api/pending-changes/:id` returns it. */
export const DraftEvent = z.object({ pending_change_id: id, summary: z.string(), card: Card.nullable() })
export type DraftEvent = z.infer<typeof DraftEvent>

/** What the model thought before and between its answers: readable text, and the time that it took. */
export const Thinking = z.object({ text: z.string(), duration_ms: count })
export type Thinking = z.infer<typeof Thinking>

/** Everything a turn has sent so far. */
export const TurnSnapshot = z.object({
  text: z.string(),
  tools: z.array(ToolEvent),
  citations: z.array(Citation),
  drafts: z.array(DraftEvent),
  status: z.string().nullable(),
  thinking: Thinking.optional(),
  /** Current state of the research stages run in this turn. */
  research: z.array(ResearchEvent).optional(),
})
export type TurnSnapshot = z.infer<typeof TurnSnapshot>

/** Error of a turn that failed or was not accepted. */
export const TurnError = z.object({ code: z.string(), message: z.string(), retryable: z.boolean() })
export type TurnError = z.infer<typeof TurnError>

const ending = {
  draft_ids: z.array(id),
  usage: Usage,
  /** Duration of the answer in milliseconds; omitted if unknown. */
  duration_ms: count.optional(),
  stop_reason: z.string(),
  memory: z.array(GivenMemory).optional().describe('Lines of memory that the turn was given. Default: none'),
}

export const TurnEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('turn'),
    data: z.object({
      turn_id: id,
      conversation_id: id,
      /** The answering companion. Default: the built-in companion. */
      agent_id: id.optional(),
      routed: Routed,
      routing: TurnRouting.optional(),
    }),
  }),
  z.object({ type: z.literal('delta'), data: z.object({ text: z.string() }) }),
  z.object({ type: z.literal('thinking'), data: z.object({ text: z.string() }) }),
  /** The model has stopped thinking. `duration_ms`: all thinking of the turn so far. */
  z.object({ type: z.literal('thought'), data: z.object({ duration_ms: count }) }),
  z.object({ type: z.literal('tool'), data: ToolEvent }),
  z.object({ type: z.literal('citation'), data: Citation }),
  z.object({ type: z.literal('draft'), data: DraftEvent }),
  /** View effect of a finished tool call. To be applied once, not again when a turn is replayed. */
  z.object({ type: z.literal('effect'), data: z.object({ tool_use_id: z.string(), effect: Effect }) }),
  z.object({ type: z.literal('research'), data: ResearchEvent }),
  z.object({ type: z.literal('status'), data: z.object({ message: z.string() }) }),
  /** Replaces all previous events except `turn`. */
  z.object({ type: z.literal('snapshot'), data: TurnSnapshot }),
  z.object({ type: z.literal('done'), data: z.object({ assistant_message_id: id, ...ending }) }),
  z.object({ type: z.literal('error'), data: TurnError }),
])
export type TurnEvent = z.infer<typeof TurnEvent>

/** A tool call as stored with the answer. */
export const ToolTraceEntry = ToolEvent.extend({
  status: z.enum(['done', 'error']),
  summary: z.string().nullable(),
  duration_ms: count,
})
export type ToolTraceEntry = z.infer<typeof ToolTraceEntry>

/** Metadata of an assistant message. */
export const AssistantMetadata = z.object({
  tool_trace: z.array(ToolTraceEntry),
  ...ending,
  citations: z.array(Citation),
  model: z.string().nullable(),
  prompt_hash: z
    .string()
    .optional()
    .describe('Identifies the wording of the prompt and tools that were used. Default: no model was asked'),
  error: TurnError.nullable(),
  thinking: Thinking.optional().describe('Default: the model showed no thinking'),
  imported_from: ChatProduct.optional().describe(
    'In a copy of an imported conversation, the product whose answer it is. Default: the companion’s own',
  ),
  edited_at: time.optional().describe('When the owner last edited the answer. Default: never'),
  research: z.array(ResearchEvent).optional().describe('Research stages run in this turn'),
})
export type AssistantMetadata = z.infer<typeof AssistantMetadata>

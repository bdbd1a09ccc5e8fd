// The events of a turn as they travel to a reader. Names and fields are the wire's.

import type { Card } from './card.ts'
import type { Effect } from './effects.ts'

export type Usage = {
  input_tokens: number
  output_tokens: number
  cache_creation_input_tokens: number
  cache_read_input_tokens: number
}

export type Citation = {
  /** Counted from 1 in the order of the answer; the same passage keeps its number. */
  n: number
  kind: string
  id: string
  title: string
  cited_text: string
  /** Whether the server found these words in the stored text of a source that the turn was given. */
  checked: boolean
  /** The passage, where the source was one. */
  ordinal: number | null
  /** The characters of the answer that the citation supports. */
  start: number
  end: number
}

/**
 * How a turn came to its conversation: it named it, it goes on in the one in use, it took up an earlier one, or it
 * began a new one.
 */
export type Routed = 'named' | 'latest' | 'resumed' | 'new'

/** What was decided for a turn that named no conversation. */
export type TurnRouting = {
  decision_id: string
  /** Who decided: nobody had to, a model, the rules, or what is done when those fail. */
  by: 'obvious' | 'model' | 'rules' | 'fallback'
  /** The conversation's title; empty for a new one. */
  title: string
  /** The conversation that was in use before; `null` when there was none. */
  from: string | null
}

/** A tool call, told once as it begins and once as it ends. */
export type ToolEvent = {
  tool: string
  tool_use_id: string
  args: unknown
  status: 'running' | 'done' | 'error'
  summary?: string
  duration_ms?: number
}

export type DraftEvent = { pending_change_id: string; summary: string; card: Card }

/** Everything that a turn has told so far. */
export type TurnSnapshot = {
  text: string
  tools: ToolEvent[]
  citations: Citation[]
  drafts: DraftEvent[]
  status: string | null
}

export type TurnEvent =
  | {
      type: 'turn'
      data: { turn_id: string; conversation_id: string; routed: Routed; routing?: TurnRouting }
    }
  | { type: 'delta'; data: { text: string } }
  | { type: 'tool'; data: ToolEvent }
  | { type: 'citation'; data: Citation }
  | { type: 'draft'; data: DraftEvent }
  /** What a finished call does to the owner's view; to be done once, not again when a turn is read back. */
  | { type: 'effect'; data: { tool_use_id: string; effect: Effect } }
  | { type: 'status'; data: { message: string } }
  /** Replaces whatever was told before it, `turn` aside. */
  | { type: 'snapshot'; data: TurnSnapshot }
  | {
      type: 'done'
      data: {
        assistant_message_id: string
        draft_ids: string[]
        usage: Usage
        /** From the beginning of the answer to its end; left out where nobody saw both. */
        duration_ms?: number
        stop_reason: string
      }
    }
  | { type: 'error'; data: { code: string; message: string; retryable: boolean } }

/** A call as it is kept with the answer. */
export type ToolTraceEntry = {
  tool: string
  tool_use_id: string
  args: unknown
  status: 'done' | 'error'
  summary: string | null
  duration_ms: number
}

/** What an assistant message carries besides its text. */
export type AssistantMetadata = {
  tool_trace: ToolTraceEntry[]
  draft_ids: string[]
  usage: Usage
  /** From the beginning of the answer to its end; left out where nobody saw both. */
  duration_ms?: number
  citations: Citation[]
  stop_reason: string
  model: string | null
  error: { code: string; message: string; retryable: boolean } | null
}

// The events of a turn as they travel to a reader. Names and fields are the wire's.

import type { Card } from './card.ts'

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

export type TurnEvent =
  | { type: 'turn'; data: { turn_id: string; conversation_id: string; routed: 'named' | 'latest' | 'new' } }
  | { type: 'delta'; data: { text: string } }
  | {
      type: 'tool'
      data: {
        tool: string
        tool_use_id: string
        args: unknown
        status: 'running' | 'done' | 'error'
        summary?: string
        duration_ms?: number
      }
    }
  | { type: 'citation'; data: Citation }
  | { type: 'draft'; data: { pending_change_id: string; summary: string; card: Card } }
  | { type: 'status'; data: { message: string } }
  | {
      type: 'done'
      data: { assistant_message_id: string; draft_ids: string[]; usage: Usage; stop_reason: string }
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
  citations: Citation[]
  stop_reason: string
  model: string | null
  error: { code: string; message: string; retryable: boolean } | null
}

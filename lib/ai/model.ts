// The provider-neutral shape of one model call. `wires/call-model.ts` and `offline/offline-model.ts` both produce a `CallModel`;
// everything above them (the loop, research, the tests) knows only these types.
// Block names and fields are those of the Messages API, so that content can be carried back verbatim.

import type { z } from 'zod'
import type { Usage } from '../contract/events/events.ts'

export type { Usage } from '../contract/events/events.ts'

export type TextCitation = {
  type: string
  cited_text: string
  source?: string
  title?: string | null
  search_result_index?: number
  start_block_index?: number
  end_block_index?: number
}

export type TextBlock = { type: 'text'; text: string; citations?: TextCitation[] | null }
export type ToolUseBlock = { type: 'tool_use'; id: string; name: string; input: unknown }
export type SearchResultBlock = {
  type: 'search_result'
  source: string
  title: string
  content: { type: 'text'; text: string }[]
  citations?: { enabled: boolean }
}
export type ToolResultBlock = {
  type: 'tool_result'
  tool_use_id: string
  content: string | (TextBlock | SearchResultBlock)[]
  is_error?: boolean
}
/** A block that is carried without being read: thinking, redacted thinking, and types that the API may add. */
type OpaqueBlock = { type: string; [field: string]: unknown }

export type ContentBlock = TextBlock | ToolUseBlock | ToolResultBlock | SearchResultBlock | OpaqueBlock

export type ModelMessage = { role: 'user' | 'assistant'; content: string | ContentBlock[] }

export type ModelTool = { name: string; description: string; input_schema: Record<string, unknown> }

export type ModelRequest = {
  system: string
  /** Leading characters of `system` that are the same from turn to turn. Default: all. */
  systemFixed?: number
  messages: ModelMessage[]
  tools: ModelTool[]
  /**
   * Tools that the history refers to but that may not be called now; `tools` is then empty. The Messages API refuses a
   * history with tool calls and no tools, so the adapter sends these and forbids their use.
   */
  withheldTools?: ModelTool[]
  /** Maximum tokens of the answer, if below the model's own limit. Default: that limit. */
  maxTokens?: number
  /** Called with each piece of answer text as it arrives. Must not throw. */
  onTextDelta?: (text: string) => void
  /** Called with each piece of what the model thinks, where the server tells it. Must not throw. */
  onThinkingDelta?: (text: string) => void
  /** Called with a sentence for the owner when a call has to wait or is retried. Must not throw. */
  onStatus?: (message: string) => void
  signal?: AbortSignal
}

export type ModelResponse = {
  text: string
  /** The model's blocks exactly as received, to be sent back unchanged. */
  content: ContentBlock[]
  toolUses: { id: string; name: string; input: unknown }[]
  stopReason: string | null
  usage: Usage
  /** With `model_context_window_exceeded`: tokens of the context and of the request, where the server named them. */
  overflow?: { context: number | null; needed: number | null }
}

export const noUsage: Usage = {
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
}

/** The sum of two usages, field by field. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    cache_creation_input_tokens: a.cache_creation_input_tokens + b.cache_creation_input_tokens,
    cache_read_input_tokens: a.cache_read_input_tokens + b.cache_read_input_tokens,
  }
}

/**
 * One call of a model, streaming its text through `onTextDelta`.
 * Rejects with a `ModelError` when the model cannot be reached or refuses the call, and with the signal's reason
 * when aborted.
 */
export type CallModel = (request: ModelRequest) => Promise<ModelResponse>

export type ModelErrorCode =
  | 'key_unreadable'
  | 'model_unauthorized'
  | 'model_rate_limited'
  | 'model_overloaded'
  | 'model_unreachable'
  | 'model_silent'
  | 'model_bad_request'
  | 'model_not_found'
  | 'model_failed'

/** A model call that failed. `message` can be shown to the owner and contains no secret. */
export class ModelError extends Error {
  readonly code: ModelErrorCode
  readonly retryable: boolean

  constructor(code: ModelErrorCode, message: string, options: { retryable: boolean; cause?: unknown }) {
    super(message, { cause: options.cause })
    this.name = 'ModelError'
    this.code = code
    this.retryable = options.retryable
  }
}

/** The JSON object in a model's answer, whatever surrounds it; `null` if there is none or it does not match the schema. */
export function readJsonAnswer<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
): z.output<Schema> | null {
  const from = text.indexOf('{')
  const to = text.lastIndexOf('}')
  if (from === -1 || to < from) return null
  try {
    return schema.safeParse(JSON.parse(text.slice(from, to + 1))).data ?? null
  } catch {
    return null
  }
}

/** An object of JSON whose fields nobody has validated. */
export type Dict = Record<string, unknown>

export const isRecord = (value: unknown): value is Dict =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

// The provider-neutral shape of one model call. `wires/call-model.ts` and `offline/offline-model.ts` both produce a `CallModel`;
// everything above them (the loop, research, the tests) knows only these types.
// Block names and fields are those of the Messages API, so that content can be carried back verbatim.

import type { z } from 'zod'
import type { Usage } from '../contract/events/events.ts'
import type { ThinkingLevel } from '../contract/model.ts'

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
  /** The line of the text that each part of `content` begins at, from 1. Default: the text is no run of lines. */
  lines?: number[]
}
export type ToolResultBlock = {
  type: 'tool_result'
  tool_use_id: string
  content: string | (TextBlock | SearchResultBlock)[]
  is_error?: boolean
}
/** A block that is carried without being read: thinking, redacted thinking, and types that the API may add. */
type OpaqueBlock = { type: string; [field: string]: unknown }

/** `reasoning` is what servers without signatures send. */
export const isThinking = ({ type }: ContentBlock): boolean =>
  type === 'thinking' || type === 'redacted_thinking' || type === 'reasoning'

export const withoutThinking = (content: readonly ContentBlock[]): ContentBlock[] =>
  content.filter((block) => !isThinking(block))

export type ContentBlock = TextBlock | ToolUseBlock | ToolResultBlock | SearchResultBlock | OpaqueBlock

export type ModelMessage = { role: 'user' | 'assistant'; content: string | ContentBlock[] }

export type ModelTool = { name: string; description: string; input_schema: Record<string, unknown> }

/**
 * A part of a request that some servers refuse. `adaptive` and `budget`: the Messages API's two ways to ask for thinking.
 * `effort`: a level of it. `off`: asking for none. `max_tokens`: Chat Completions' old name of the limit.
 */
export const requestParts = [
  'adaptive',
  'budget',
  'effort',
  'off',
  'caching',
  'stream_options',
  'max_tokens',
] as const
export type RequestPart = (typeof requestParts)[number]

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
  /** Default: nothing is said about it, and the server decides. */
  thinking?: ThinkingLevel
  /** Parts of a request that the server is known to refuse. */
  without?: readonly RequestPart[]
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

// Line numbers before the lines of a passage, as models read them: "12| text".

/** A passage whose lines are known, with their numbers and without `lines`; any other block as it is. */
export function numberLines<Block extends ContentBlock>(block: Block): Block | SearchResultBlock {
  if (!isNumbered(block)) return block
  const { lines, ...passage } = block
  return {
    ...passage,
    content: passage.content.map((part, at) => ({ ...part, text: numbered(part.text, lines[at] ?? 1) })),
  }
}

/** What a model cites of such a passage, as it is stored. */
export const withoutLineNumbers = (text: string): string => text.replace(/^\d{1,7}\| /gm, '')

const numbered = (text: string, first: number): string =>
  text
    .split('\n')
    .map((line, at) => `${first + at}| ${line}`)
    .join('\n')

const isNumbered = (block: ContentBlock): block is SearchResultBlock & { lines: number[] } =>
  block.type === 'search_result' &&
  'lines' in block &&
  Array.isArray(block.lines) &&
  'content' in block &&
  Array.isArray(block.content)

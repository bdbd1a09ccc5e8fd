// What a turn tells while it runs. One union drives the screen, the log and the tests; steps are what durability needs.

import type { Effect } from '../../contract/effects.ts'
import type { ContentBlock, ModelMessage, ModelResponse, ToolResultBlock } from '../model.ts'
import type { ToolTarget } from './tool.ts'

/** One finished tool call, as it is shown, logged and stored. */
export type ToolCallRecord = {
  tool_use_id: string
  name: string
  /** The arguments as cleaned for the handler; the model's raw string when they were not valid JSON. */
  args: unknown
  status: 'done' | 'error'
  /** One line for people, under 200 characters; for an error, the beginning of what the model was told. */
  summary: string | null
  duration_ms: number
  draftId: string | null
  target: ToolTarget | null
  /** What the call does to the owner's view. */
  effects: Effect[]
  /** Size of the result that the model was given. */
  bytes: number
}

export type AgentEvent =
  /** A piece of the answer. Joined, these are `TurnResult.text`. */
  | { type: 'text'; text: string }
  /** A wait, a retry, a compaction, a limit: a sentence for the owner. */
  | { type: 'status'; message: string }
  | { type: 'tool_start'; tool_use_id: string; name: string; args: unknown }
  | ({ type: 'tool_end' } & ToolCallRecord)
  /** A tool threw what it should not have. The model was told only that it failed; this is for the log. */
  | { type: 'tool_crash'; tool_use_id: string; name: string; error: unknown }

/** A piece of work that need not be done again. Told in order, and each is awaited before the next begins. */
export type TurnStep =
  /** A whole message of the model, made fit to be sent back: `content` may differ from `response.content`. */
  | { type: 'message'; content: ContentBlock[]; response: ModelResponse }
  | { type: 'tool_result'; result: ToolResultBlock; call: ToolCallRecord }
  /** Everything before this was replaced by `messages`. */
  | { type: 'compaction'; messages: ModelMessage[] }

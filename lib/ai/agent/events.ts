// What the loop emits while a turn runs: the wire's own events. Steps are what durability needs.

import type { ToolTraceEntry, TurnEvent } from '../../contract/events/events.ts'
import type { GivenSource } from '../../db/repos/step_row.ts'
import type { ContentBlock, ModelMessage, ModelResponse, ToolResultBlock } from '../model.ts'
import type { ToolTarget } from './tool.ts'

export type AgentEvent = Extract<
  TurnEvent,
  { type: 'delta' | 'tool' | 'draft' | 'citation' | 'effect' | 'status' }
>

/** A piece of work that need not be done again. Emitted in order, and each is awaited before the next begins. */
export type TurnStep =
  /** A whole message of the model, made fit to be sent back: `content` may differ from `response.content`. */
  | { type: 'message'; content: ContentBlock[]; response: ModelResponse }
  | ToolResultStep
  /** Everything before this was replaced by `messages`. */
  | { type: 'compaction'; messages: ModelMessage[] }

export type ToolResultStep = {
  type: 'tool_result'
  result: ToolResultBlock
  call: ToolTraceEntry
  target: ToolTarget | null
  /** What the result gave the model to read; `null` when the tool doesn't declare it. */
  given: GivenSource[] | null
}

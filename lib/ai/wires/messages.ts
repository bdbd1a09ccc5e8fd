// The Messages API. https://platform.claude.com/docs/en/api/messages

import {
  type ContentBlock,
  type ModelMessage,
  type ModelRequest,
  type ModelTool,
  numberLines,
  type TextBlock,
} from '../model.ts'
import type { Wire, WireBlock, WireEvent } from './wire.ts'

export const messagesWire: Wire = {
  name: 'messages',
  label: 'the Messages API',
  path: '/messages',
  body: toBody,
  startReader: () => ({ events: (data) => [data], whole: eventsOfMessage }),
}

function toBody(request: ModelRequest, { name, maxTokens }: { name: string; maxTokens: number }) {
  const withheld = request.tools.length === 0 ? (request.withheldTools ?? []) : []
  const limit = Math.min(request.maxTokens ?? maxTokens, maxTokens)
  const isCached = !request.without?.includes('caching')
  const tools = [...request.tools, ...withheld]
  const messages = request.messages.map(withoutReasoning).map(withLineNumbers)
  return {
    model: name,
    max_tokens: limit,
    stream: true,
    ...toThinking(request, limit),
    ...(request.system.trim() === ''
      ? {}
      : { system: isCached ? markSystem(request.system, request.systemFixed) : request.system }),
    ...(tools.length > 0 ? { tools: isCached ? markTools(tools) : tools } : {}),
    ...(withheld.length > 0 ? { tool_choice: { type: 'none' } } : {}),
    messages: isCached ? markMessages(messages) : messages,
  }
}

// Thinking. Models take one of two manners: newer ones think as much as they see fit, steered by an effort, older ones up
// to a budget. `display` asks for a text that can be shown.
// https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking

const budgets = { low: 2048, medium: 8192, high: 16_384 } as const

function toThinking({ thinking, without = [], messages }: ModelRequest, limit: number): object {
  if (thinking === undefined) return {}
  if (thinking === 'off') return without.includes('off') ? {} : { thinking: { type: 'disabled' } }
  if (!without.includes('adaptive')) {
    const hasEffort = thinking !== 'auto' && !without.includes('effort')
    return {
      thinking: { type: 'adaptive', display: 'summarized' },
      ...(hasEffort ? { output_config: { effort: thinking } } : {}),
    }
  }
  if (thinking === 'auto' || without.includes('budget') || !mayThinkByBudget(messages)) return {}
  const budget_tokens = Math.min(budgets[thinking], Math.floor(limit / 2))
  // The API takes no smaller budget.
  return budget_tokens < 1024 ? {} : { thinking: { type: 'enabled', budget_tokens } }
}

/** With a budget the API wants each message whose tools are being answered to begin with its thinking. */
function mayThinkByBudget(messages: readonly ModelMessage[]): boolean {
  const asked = messages.findLastIndex(
    ({ role, content }) =>
      role === 'user' && (typeof content === 'string' || content.some(({ type }) => type !== 'tool_result')),
  )
  return messages
    .slice(asked + 1)
    .every(
      ({ role, content }) =>
        role === 'user' || (typeof content !== 'string' && /thinking$/.test(content[0]?.type ?? '')),
    )
}

/** Reasoning that another kind of server wrote is not sent. */
function withoutReasoning(message: ModelMessage): ModelMessage {
  const { role, content } = message
  if (typeof content === 'string' || !content.some(isReasoning)) return message
  return { role, content: content.filter((block) => !isReasoning(block)) }
}

/** Passages whose lines are known, with the number before each line, as edits and the owner name it. */
function withLineNumbers({ role, content }: ModelMessage): ModelMessage {
  if (typeof content === 'string') return { role, content }
  return {
    role,
    content: content.map((block) =>
      block.type === 'tool_result' && 'content' in block && Array.isArray(block.content)
        ? { ...block, content: block.content.map(numberLines) }
        : numberLines(block),
    ),
  }
}

const isReasoning = ({ type }: ContentBlock) => type === 'reasoning'

// The prompt cache. The prompt is tools, system, messages, in this order, and a marker caches everything before it. Four
// markers are allowed: one on the tools, one on the part of the system prompt that is the same for every turn, and two
// on the history. The later of these writes the cache for the next call, the earlier one is where the previous call
// wrote: a lookup goes back only 20 blocks, and a step can add more than that.
// https://platform.claude.com/docs/en/build-with-claude/prompt-caching

const cacheMarker = { type: 'ephemeral' } as const

type Marked<T> = T & { cache_control?: typeof cacheMarker }

const markTools = (tools: ModelTool[]): Marked<ModelTool>[] =>
  tools.map((tool, i) => (i === tools.length - 1 ? { ...tool, cache_control: cacheMarker } : tool))

/** The system prompt with a marker after the first `fixed` characters, which are the same from turn to turn. */
function markSystem(system: string, fixed = system.length): Marked<TextBlock>[] {
  const rest = system.slice(fixed)
  return [
    { type: 'text', text: system.slice(0, fixed), cache_control: cacheMarker },
    ...(rest.trim() === '' ? [] : [{ type: 'text' as const, text: rest }]),
  ]
}

/** Marks the last message and the last of the owner's before it. */
function markMessages(messages: ModelMessage[]): ModelMessage[] {
  const last = messages.length - 1
  const before = messages.findLastIndex((message, i) => i < last && message.role === 'user')
  return messages.map((message, i) => (i === last || i === before ? markMessage(message) : message))
}

function markMessage(message: ModelMessage): ModelMessage {
  const { role, content } = message
  if (typeof content === 'string') {
    if (content.trim() === '') return message
    return { role, content: [{ type: 'text', text: content, cache_control: cacheMarker }] }
  }
  const at = content.findLastIndex(isMarkable)
  if (at === -1) return message
  return {
    role,
    content: content.map((block, i) => (i === at ? { ...block, cache_control: cacheMarker } : block)),
  }
}

/** The API refuses a marker on thinking. */
const isMarkable = ({ type }: ContentBlock) => type !== 'thinking' && type !== 'redacted_thinking'

/** The events that would have streamed this whole message. */
function eventsOfMessage(message: Record<string, unknown>): WireEvent[] {
  if (!Array.isArray(message.content)) throw new SyntaxError('Expected a message with content')
  const blocks: WireBlock[] = message.content
  return [
    ...blocks.map((block, index) => ({ type: 'content_block_start', index, content_block: block })),
    { type: 'message_delta', delta: { stop_reason: message.stop_reason }, usage: message.usage },
    { type: 'message_stop' },
  ]
}

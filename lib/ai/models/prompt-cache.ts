// Where the provider may keep what it has read. The prompt is tools, system, messages, in this order, and a marker
// caches everything before it. Four markers are allowed: one on the tools and one on the part of the system prompt
// that is the same for every turn; two on the history. The later of these writes the cache for the next call, the
// earlier one is where the previous call wrote: a lookup goes back only 20 blocks, and a step can add more than that.
// https://platform.claude.com/docs/en/build-with-claude/prompt-caching

import type { ContentBlock, ModelMessage, ModelTool, TextBlock } from '../model.ts'

const cacheMarker = { type: 'ephemeral' } as const

type Marked<T> = T & { cache_control?: typeof cacheMarker }

/** The tools with a marker on the last one. Changes none of the given objects. */
export function markTools(tools: ModelTool[]): Marked<ModelTool>[] {
  return tools.map((tool, i) => (i === tools.length - 1 ? { ...tool, cache_control: cacheMarker } : tool))
}

/** The system prompt with a marker behind what is the same from turn to turn. */
export function markSystem(system: string, fixed = system.length): Marked<TextBlock>[] {
  const [before, behind] = [system.slice(0, fixed), system.slice(fixed)]
  return [
    { type: 'text', text: before, cache_control: cacheMarker },
    ...(behind.trim() === '' ? [] : [{ type: 'text' as const, text: behind }]),
  ]
}

/** The messages with a marker on the last one and on the last of the owner's before it. Changes no given object. */
export function markMessages(messages: ModelMessage[]): ModelMessage[] {
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
function isMarkable(block: ContentBlock): boolean {
  return block.type !== 'thinking' && block.type !== 'redacted_thinking'
}

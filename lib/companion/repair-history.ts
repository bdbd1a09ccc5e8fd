// One pass that makes any list of messages one that the Messages API accepts:
// - the first message is the user's, roles alternate (neighbours of one role are joined);
// - every tool_use is answered in the very next message, by a result of ours if need be;
// - a tool_result that answers nothing is dropped, and so are empty texts and messages without content.

import type { ContentBlock, ModelMessage, ToolResultBlock } from '../ai/model.ts'

const interrupted = 'This call was interrupted; its result is lost.'

/** A valid history with everything of the given one that can be kept. A valid history comes back equal. */
export function repairHistory(messages: readonly ModelMessage[]): ModelMessage[] {
  const repaired: ModelMessage[] = []

  for (const message of joinNeighbours(messages)) {
    const open = openCalls(repaired.at(-1))
    const blocks = toBlocks(message).filter((block) => isUsable(block, message.role, open))
    if (open.length === 0) {
      if (blocks.length === 0 || (repaired.length === 0 && message.role !== 'user')) continue
      push(repaired, { ...message, content: typeof message.content === 'string' ? message.content : blocks })
      continue
    }
    const answers = message.role === 'user' ? blocks.filter(isToolResult) : []
    const rest = blocks.filter((block) => !isToolResult(block))
    const missing = open.filter((id) => !answers.some((answer) => answer.tool_use_id === id))
    const results = [...answers, ...missing.map(toInterrupted)]
    if (message.role === 'user') {
      push(repaired, { role: 'user', content: [...results, ...rest] })
    } else {
      push(repaired, { role: 'user', content: results })
      if (rest.length > 0) push(repaired, { role: 'assistant', content: rest })
    }
  }

  const open = openCalls(repaired.at(-1))
  if (open.length > 0) repaired.push({ role: 'user', content: open.map(toInterrupted) })
  return repaired
}

function joinNeighbours(messages: readonly ModelMessage[]): ModelMessage[] {
  const joined: ModelMessage[] = []
  for (const message of messages) push(joined, message)
  return joined
}

function push(messages: ModelMessage[], message: ModelMessage): void {
  const last = messages.at(-1)
  if (last?.role !== message.role) {
    messages.push(message)
    return
  }
  // An assistant message with open calls must be answered before the assistant speaks again.
  if (message.role === 'assistant' && openCalls(last).length > 0) {
    messages.push({ role: 'user', content: openCalls(last).map(toInterrupted) }, message)
    return
  }
  messages[messages.length - 1] = { role: last.role, content: [...toBlocks(last), ...toBlocks(message)] }
}

/** The ids of the calls of an assistant message. */
function openCalls(message: ModelMessage | undefined): string[] {
  if (message?.role !== 'assistant') return []
  return toBlocks(message).flatMap((block) =>
    block.type === 'tool_use' && 'id' in block ? [String(block.id)] : [],
  )
}

function isUsable(block: ContentBlock, role: ModelMessage['role'], open: string[]): boolean {
  if (isToolResult(block)) return role === 'user' && open.includes(block.tool_use_id)
  if (block.type === 'text' && 'text' in block) return String(block.text).trim() !== ''
  return true
}

const isToolResult = (block: ContentBlock): block is ToolResultBlock =>
  block.type === 'tool_result' && 'tool_use_id' in block

const toInterrupted = (id: string): ToolResultBlock => ({
  type: 'tool_result',
  tool_use_id: id,
  content: interrupted,
  is_error: true,
})

function toBlocks({ content }: ModelMessage): ContentBlock[] {
  if (typeof content !== 'string') return content
  return content.trim() === '' ? [] : [{ type: 'text', text: content }]
}

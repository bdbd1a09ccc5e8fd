// One pass that makes any list of messages one that the Messages API accepts:
// - the first message is the user's, and neighbours of one role are joined;
// - every tool_use has an id of its own and is answered in the very next message, by a result of ours if need be;
// - a tool_result that answers nothing is dropped, and so are malformed blocks, empty texts, empty messages, blocks of the
//   wrong role, messages of neither role, and thinking that a message ends with;
// - no text has a NUL or half a surrogate pair.

import type { ContentBlock, ModelMessage, ToolResultBlock } from '../ai/model.ts'
import { cleanText } from '../text/clean.ts'
import { isThinking, mendBlock } from './valid-blocks.ts'

const interrupted = 'This call was interrupted; its result is lost.'

/** A valid history with everything of the given one that can be kept. A valid history comes back equal. */
export function repairHistory(messages: readonly ModelMessage[]): ModelMessage[] {
  const repaired: ModelMessage[] = []
  const used = new Set<string>()
  let open: string[] = []

  for (const message of joinUsers(messages.flatMap(mendMessage))) {
    if (message.role === 'user') {
      const blocks = answer(open, message)
      if (blocks.length > 0) append(repaired, message, blocks)
      if (blocks.length > 0) open = []
    } else if (repaired.length > 0) {
      const said = withoutLastThinking(toBlocks(message).filter((block) => isSaid(block, used)))
      if (said.length === 0) continue
      if (open.length > 0) repaired.push({ role: 'user', content: open.map(toInterrupted) })
      append(repaired, message, said)
      open = callsOf(said)
    }
  }
  if (open.length > 0) repaired.push({ role: 'user', content: open.map(toInterrupted) })
  return repaired
}

/** The message with blocks that the API takes, the same one where all of them are; nothing when none is left. */
function mendMessage(message: ModelMessage): ModelMessage[] {
  const { role, content } = message
  if (role !== 'user' && role !== 'assistant') return []
  if (typeof content === 'string') {
    const text = cleanText(content)
    return text.trim() === '' ? [] : [text === content ? message : { role, content: text }]
  }
  if (!Array.isArray(content)) return []
  const mended = content.map((block) => mendBlock(block, role)).filter((block) => block !== null)
  if (mended.length === 0) return []
  const same = mended.length === content.length && mended.every((block, at) => block === content[at])
  return [same ? message : { role, content: mended }]
}

function withoutLastThinking(blocks: readonly ContentBlock[]): ContentBlock[] {
  const last = blocks.findLastIndex((block) => !isThinking(block))
  return blocks.slice(0, last + 1)
}

// The results of one message's calls are stored one by one; the API wants them in one message.
function joinUsers(messages: readonly ModelMessage[]): ModelMessage[] {
  const joined: ModelMessage[] = []
  for (const message of messages) {
    if (message.role === 'user' && joined.at(-1)?.role === 'user') append(joined, message, toBlocks(message))
    else joined.push(message)
  }
  return joined
}

/** A user's blocks behind the results of the open calls, each call answered exactly once. */
function answer(open: readonly string[], message: ModelMessage): ContentBlock[] {
  const blocks = toBlocks(message)
  const results = new Map(blocks.filter(isToolResult).map((block) => [block.tool_use_id, block]))
  const rest = blocks.filter((block) => !isToolResult(block))
  return [...open.map((id) => results.get(id) ?? toInterrupted(id)), ...rest]
}

/** Whether a block of an assistant's message stays; notes the id of a call. */
function isSaid(block: ContentBlock, used: Set<string>): boolean {
  if (block.type !== 'tool_use' || !('id' in block)) return true
  const id = String(block.id)
  if (used.has(id)) return false
  used.add(id)
  return true
}

/** Adds blocks as a message, or to the last one when that has the same role. Plain text that is kept stays plain. */
function append(messages: ModelMessage[], { role, content }: ModelMessage, blocks: ContentBlock[]): void {
  const last = messages.at(-1)
  if (last?.role === role) {
    messages[messages.length - 1] = { role, content: [...toBlocks(last), ...blocks] }
  } else {
    const plain = typeof content === 'string' && blocks.length === 1 && blocks[0]?.type === 'text'
    messages.push({ role, content: plain ? content : blocks })
  }
}

const callsOf = (blocks: readonly ContentBlock[]) =>
  blocks.flatMap((block) => (block.type === 'tool_use' && 'id' in block ? [String(block.id)] : []))

const isToolResult = (block: ContentBlock): block is ToolResultBlock =>
  block.type === 'tool_result' && 'tool_use_id' in block

const toInterrupted = (id: string): ToolResultBlock => ({
  type: 'tool_result',
  tool_use_id: id,
  content: interrupted,
  is_error: true,
})

function toBlocks({ content }: ModelMessage): ContentBlock[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

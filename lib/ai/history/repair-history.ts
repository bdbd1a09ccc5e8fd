// One pass that makes any list of messages one that the Messages API accepts:
// - the first message is the user's, and neighbours of one role are joined;
// - every tool_use has an id of its own and is answered in the very next message, by a result of ours if need be;
// - a tool_result that answers nothing is dropped, and so are malformed blocks, empty texts, empty messages, blocks of the
//   wrong role, messages of neither role, and thinking that a message ends with;
// - no text has a NUL or half a surrogate pair.

import { z } from 'zod'
import { type Dict, isRecord } from '../../core/record.ts'
import { cleanDeep, cleanText } from '../../core/text/clean.ts'
import { type ContentBlock, isThinking, type ModelMessage, type ToolResultBlock } from '../model.ts'

const interrupted = 'This call was interrupted; its result is lost.'

/** A valid history with everything of the given one that is valid. A valid history comes back equal. */
export function repairHistory(messages: readonly ModelMessage[]): ModelMessage[] {
  const repaired: ModelMessage[] = []
  const used = new Set<string>()
  let open: string[] = []

  for (const message of joinUsers(messages.flatMap(repairMessage))) {
    if (message.role === 'user') {
      const blocks = answer(open, message)
      if (blocks.length > 0) append(repaired, message, blocks)
      if (blocks.length > 0) open = []
    } else if (repaired.length > 0) {
      const blocks = withoutLastThinking(toBlocks(message).filter((block) => isFirstUse(block, used)))
      if (blocks.length === 0) continue
      if (open.length > 0) repaired.push({ role: 'user', content: open.map(toInterrupted) })
      append(repaired, message, blocks)
      open = callsOf(blocks)
    }
  }
  if (open.length > 0) repaired.push({ role: 'user', content: open.map(toInterrupted) })
  return repaired
}

/** The message with the blocks that the API accepts, the same object if all are; empty if none is left. */
function repairMessage(message: ModelMessage): ModelMessage[] {
  const { role, content } = message
  if (role !== 'user' && role !== 'assistant') return []
  if (typeof content === 'string') {
    const text = cleanText(content)
    return text.trim() === '' ? [] : [text === content ? message : { role, content: text }]
  }
  if (!Array.isArray(content)) return []
  const repaired = content.map((block) => repairBlock(block, role)).filter((block) => block !== null)
  if (repaired.length === 0) return []
  const same = repaired.length === content.length && repaired.every((block, at) => block === content[at])
  return [same ? message : { role, content: repaired }]
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

/** The results of the open calls, each answered exactly once, followed by the user's other blocks. */
function answer(open: readonly string[], message: ModelMessage): ContentBlock[] {
  const blocks = toBlocks(message)
  const results = new Map(blocks.filter(isToolResult).map((block) => [block.tool_use_id, block]))
  const rest = blocks.filter((block) => !isToolResult(block))
  return [...open.map((id) => results.get(id) ?? toInterrupted(id)), ...rest]
}

/** Whether a block is no call, or the first with its id; adds the id to `used`. */
function isFirstUse(block: ContentBlock, used: Set<string>): boolean {
  if (block.type !== 'tool_use' || !('id' in block)) return true
  const id = String(block.id)
  if (used.has(id)) return false
  used.add(id)
  return true
}

/** Adds blocks as a message, or to the last one if it has the same role. Plain text stays plain. */
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

const blocks = z.array(z.looseObject({ type: z.string().min(1) })).catch([])

/** The blocks of a stored step; empty if it is not a list of blocks. */
export function readBlocks(stored: string): ContentBlock[] {
  try {
    return blocks.parse(JSON.parse(stored))
  } catch {
    return []
  }
}

/**
 * A block that the API accepts in a message of this role, the same object if it is valid; `null` if it cannot be repaired.
 * Unknown types of blocks stay as they are.
 */
export function repairBlock(value: unknown, role: 'user' | 'assistant'): ContentBlock | null {
  if (!isRecord(value)) return null
  const clean = isClean(value) ? value : cleanDeep(value)
  if (!isBlock(clean)) return null
  if ((roleOf[clean.type] ?? role) !== role) return null
  if (clean.type === 'tool_result') return repairResult(clean)
  return isValid(clean) ? clean : null
}

/** The only role that may send a block of this type. */
const roleOf: Record<string, 'user' | 'assistant'> = {
  tool_use: 'assistant',
  thinking: 'assistant',
  redacted_thinking: 'assistant',
  tool_result: 'user',
  search_result: 'user',
}

function isValid(block: Dict): boolean {
  switch (block.type) {
    case 'text':
      return isText(block)
    case 'tool_use':
      return isId(block.id) && isId(block.name) && isRecord(block.input)
    case 'search_result':
      return isSearchResult(block)
    case 'thinking':
      return typeof block.thinking === 'string' && isFilled(block.signature)
    case 'redacted_thinking':
      return isFilled(block.data)
    default:
      return true
  }
}

function repairResult(block: ContentBlock): ContentBlock | null {
  const { tool_use_id, content, is_error } = { content: undefined, is_error: false, ...block } as Dict
  if (!isId(tool_use_id)) return null
  if (typeof content === 'string' && content.trim() !== '') return block
  const parts = Array.isArray(content) ? content : []
  const valid = parts.filter((part) => isText(part) || (is_error !== true && isSearchResult(part)))
  if (valid.length === parts.length && valid.length > 0) return block
  return { ...block, content: valid.length > 0 ? valid : 'The result is empty.' }
}

const isText = (value: unknown) => isRecord(value) && value.type === 'text' && isFilled(value.text)

function isSearchResult(value: unknown): boolean {
  if (!isRecord(value) || value.type !== 'search_result') return false
  const { source, title, content } = value
  return (
    isFilled(source) &&
    isFilled(title) &&
    Array.isArray(content) &&
    content.length > 0 &&
    content.every(isText)
  )
}

const isBlock = (value: unknown): value is ContentBlock => isRecord(value) && isFilled(value.type)

const isFilled = (value: unknown) => typeof value === 'string' && value.trim() !== ''

const isId = (value: unknown) => typeof value === 'string' && /^[\w-]{1,64}$/.test(value)

function isClean(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0')
  if (typeof value !== 'object' || value === null) return true
  if (depth > 64) return false
  for (const key in value) {
    if (!key.isWellFormed() || !isClean(Reflect.get(value, key), depth + 1)) return false
  }
  return true
}

/** Whether a turn ends with this message of the model: it calls no tool and was not paused. */
export const endsTurn = (content: readonly { type: string }[], stopReason: string | null): boolean =>
  stopReason !== 'pause_turn' && !content.some(({ type }) => type === 'tool_use')

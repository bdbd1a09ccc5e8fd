// What a block has to be to stand in a history. The API refuses a whole request for one malformed block, so what cannot
// be mended is dropped. Checked by hand and not by schemas: every turn reads some hundred blocks anew.

import { z } from 'zod'
import type { ContentBlock } from '../ai/model.ts'
import { cleanDeep } from '../text/clean.ts'

const blocks = z.array(z.looseObject({ type: z.string().min(1) })).catch([])

/** The blocks of a stored step. What is no list of blocks is empty. */
export function readBlocks(stored: string): ContentBlock[] {
  try {
    return blocks.parse(JSON.parse(stored))
  } catch {
    return []
  }
}

/**
 * A block that the API takes in a message of this role, the very same one where nothing is wrong with it; `null` when
 * nothing can be made of it. Kinds of blocks that are not known here are taken as they are.
 */
export function mendBlock(value: unknown, role: 'user' | 'assistant'): ContentBlock | null {
  if (!isRecord(value)) return null
  const clean = isClean(value) ? value : cleanDeep(value)
  if (!isBlock(clean)) return null
  const by = speaker[clean.type]
  if (by !== undefined && by !== role) return null
  if (clean.type === 'tool_result') return mendResult(clean)
  return isValid(clean) ? clean : null
}

export const isThinking = ({ type }: ContentBlock) => type === 'thinking' || type === 'redacted_thinking'

export const withoutThinking = (content: readonly ContentBlock[]) =>
  content.filter((block) => !isThinking(block))

type Dict = Record<string, unknown>

/** Who may say it, where only one of them may. */
const speaker: Record<string, 'user' | 'assistant'> = {
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

function mendResult(block: ContentBlock): ContentBlock | null {
  const { tool_use_id, content, is_error } = { content: undefined, is_error: false, ...block } as Dict
  if (!isId(tool_use_id)) return null
  if (typeof content === 'string' && content.trim() !== '') return block
  const parts = Array.isArray(content) ? content : []
  const kept = parts.filter((part) => isText(part) || (is_error !== true && isSearchResult(part)))
  if (kept.length === parts.length && kept.length > 0) return block
  return { ...block, content: kept.length > 0 ? kept : 'The result is empty.' }
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

const isRecord = (value: unknown): value is Dict =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

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

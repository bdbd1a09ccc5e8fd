// A model's message normalized so that it can be sent back. The API refuses a history with an empty text block, a tool_use whose id
// is missing or used twice, or a message that ends in thinking, and a refused history means a thread that no message
// can continue. Everything that is already valid, thinking and signatures included, stays the very same object.

import { isRecord } from '../../core/record.ts'
import { cleanDeep, cleanLine, cleanText } from '../../core/text/clean.ts'
import {
  type ContentBlock,
  isThinking,
  type ModelResponse,
  type TextBlock,
  type ToolUseBlock,
  withoutLineNumbers,
} from '../model.ts'
import { repairBlock } from './repair-history.ts'

export type ToolCall = { id: string; name: string; input: unknown }

export type NormalizedMessage = {
  /** Empty when nothing of the message can be sent back. */
  content: ContentBlock[]
  /** One for every tool_use in `content`, in its order, with the raw `input` that the model gave. */
  calls: ToolCall[]
}

/** Expects the result of `cleanResponse`. Adds the ids of the calls to `usedIds`. */
export function normalizeResponse(response: ModelResponse, usedIds: Set<string>): NormalizedMessage {
  const calls: ToolCall[] = []
  const rawInput = inputsOf(response)
  const content = withMissingUses(response).flatMap((block): ContentBlock[] => {
    if (!isToolUse(block)) return [block]
    const id = uniqueId(block.id, usedIds)
    calls.push({ id, name: block.name, input: rawInput(block) })
    return [sendable(block, id)]
  })
  while (content.length > 0 && isThinking(content.at(-1)!)) content.pop()
  return { content: response.stopReason === 'pause_turn' ? withoutTrailingBlanks(content) : content, calls }
}

/** The ids of all tool calls in `messages`, which no new call may reuse. */
export function toolUseIds(messages: readonly { content: string | ContentBlock[] }[]): Set<string> {
  const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content))
  return new Set(blocks.filter(isToolUse).map((block) => block.id))
}

export function isToolUse(block: ContentBlock): block is ToolUseBlock {
  return block.type === 'tool_use'
}

export function isText(block: ContentBlock): block is TextBlock {
  return block.type === 'text' && typeof block.text === 'string'
}

/** A message that the model continues must not end in white space. */
function withoutTrailingBlanks(content: ContentBlock[]): ContentBlock[] {
  const last = content.at(-1)
  if (!last || !isText(last) || last.text === last.text.trimEnd()) return content
  return [...content.slice(0, -1), { ...last, text: last.text.trimEnd() }]
}

/** Adds calls that a model other than the API names only in `toolUses`. */
function withMissingUses(response: ModelResponse): ContentBlock[] {
  const present = new Set(response.content.filter(isToolUse).map((block) => block.id))
  const missing = response.toolUses.filter((use) => !present.has(use.id))
  return [...response.content, ...missing.map((use) => ({ type: 'tool_use' as const, ...use }))]
}

/** `toolUses` has the raw input if it was not valid JSON. Ids may be missing or repeated, so each entry is used once. */
function inputsOf(response: ModelResponse): (block: ToolUseBlock) => unknown {
  const left = [...response.toolUses]
  return (block) => {
    const index = left.findIndex((use) => use.id === block.id)
    const [use] = index === -1 ? [] : left.splice(index, 1)
    return use ? use.input : block.input
  }
}

/** An id that the API accepts (letters, digits, `_`, `-`; unique in the history): the model's own if it is one. */
function uniqueId(id: string, usedIds: Set<string>): string {
  const stem = /^[\w-]{1,64}$/.test(id) ? id : 'call'
  let unique = stem
  for (let n = 2; usedIds.has(unique); n += 1) unique = `${stem}_${n}`
  usedIds.add(unique)
  return unique
}

function sendable(block: ToolUseBlock, id: string): ToolUseBlock {
  const name = /^[\w-]{1,64}$/.test(block.name) ? block.name : 'unknown_tool'
  const input = sendableInput(block.input)
  const same = id === block.id && name === block.name && input === block.input
  return same ? block : { ...block, id, name, input }
}

/** The API accepts only an object here; anything else is wrapped in one. */
function sendableInput(input: unknown): unknown {
  return isRecord(input) ? input : { not_an_object: input }
}

const maxStopReasonLength = 100

/**
 * A response that later code can rely on, whatever JSON the model sent: no NUL and no half surrogate pair in any text,
 * name, id, argument or key, and no block that the Messages API would refuse from the assistant. A tool call stays
 * whatever its id, name and input are; an id or name that is no string becomes empty. The only place that does this.
 * Valid blocks stay the same objects.
 */
export function cleanResponse({ text, content, toolUses, stopReason, usage }: ModelResponse): ModelResponse {
  return {
    text: textIn(text),
    content: listIn(content).flatMap(cleanBlock),
    toolUses: listIn(toolUses).map(cleanCall),
    stopReason: typeof stopReason === 'string' ? cleanLine(stopReason).slice(0, maxStopReasonLength) : null,
    usage,
  }
}

const textIn = (value: unknown): string => (typeof value === 'string' ? cleanText(value) : '')

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function cleanBlock(value: unknown): ContentBlock[] {
  const block = cleanDeep(value)
  if (isRecord(block) && block.type === 'tool_use') {
    const call = { id: textIn(block.id), name: textIn(block.name) }
    const same = call.id === block.id && call.name === block.name
    return [{ ...(same ? block : { ...block, ...call }), type: 'tool_use' }]
  }
  const repaired = repairBlock(block, 'assistant')
  return repaired ? [withReadableCitations(repaired)] : []
}

/** The block with only its valid citations. */
function withReadableCitations(block: ContentBlock): ContentBlock {
  if (!('citations' in block) || block.citations === null) return block
  const all = listIn(block.citations)
  const readable = all.filter(isCitation)
  const isWhole = readable.length === all.length && Array.isArray(block.citations)
  return isWhole && !readable.some(isNumbered) ? block : { ...block, citations: readable.map(withStoredText) }
}

const isNumbered = (citation: unknown): boolean => isRecord(citation) && withStoredText(citation) !== citation

/** A passage went out with the numbers of its lines. */
function withStoredText(citation: unknown): unknown {
  if (!isRecord(citation) || typeof citation.cited_text !== 'string') return citation
  const cited_text = withoutLineNumbers(citation.cited_text)
  return cited_text === citation.cited_text ? citation : { ...citation, cited_text }
}

const isCitation = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value.type === 'string' &&
  typeof value.cited_text === 'string' &&
  ['string', 'undefined'].includes(typeof value.source) &&
  (value.title === null || ['string', 'undefined'].includes(typeof value.title))

function cleanCall(value: unknown): ModelResponse['toolUses'][number] {
  const call = cleanDeep(value)
  const { id, name, input } = isRecord(call) ? call : {}
  return { id: textIn(id), name: textIn(name), input }
}

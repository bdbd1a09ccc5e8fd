// OpenAI's Chat Completions, as OpenAI, Ollama, llama.cpp, LM Studio, vLLM, LiteLLM and OpenRouter speak it.
// https://platform.openai.com/docs/api-reference/chat
//
// A request is translated from the Messages API's shapes, a response into its events; the loop knows only those.

import { type Dict, isRecord } from '../../core/record.ts'
import type { ContentBlock, ModelMessage, ModelRequest, ModelTool, ToolResultBlock } from '../model.ts'
import type { Wire, WireBlock, WireEvent, WireReader } from './wire.ts'

export const chatWire: Wire = {
  name: 'chat',
  label: 'OpenAI’s Chat Completions',
  path: '/chat/completions',
  body: toBody,
  startReader,
}

function toBody(request: ModelRequest, { name, maxTokens }: { name: string; maxTokens: number }) {
  const withheld = request.tools.length === 0 ? (request.withheldTools ?? []) : []
  const tools = [...request.tools, ...withheld].map(toTool)
  const system = request.system.trim() === '' ? [] : [{ role: 'system', content: request.system }]
  const { without = [], thinking } = request
  const isNewName = isReasoningModel(name) || without.includes('max_tokens')
  const lastQuestion = request.messages.findLastIndex(isQuestion)
  return {
    model: name,
    // The old name: most servers know no other.
    [isNewName ? 'max_completion_tokens' : 'max_tokens']: Math.min(request.maxTokens ?? maxTokens, maxTokens),
    stream: true,
    ...(without.includes('stream_options') ? {} : { stream_options: { include_usage: true } }),
    ...(thinking === 'off' && !without.includes('off') ? { reasoning_effort: 'none' } : {}),
    ...(isEffort(thinking) && !without.includes('effort') ? { reasoning_effort: thinking } : {}),
    ...(tools.length > 0 ? { tools } : {}),
    ...(withheld.length > 0 ? { tool_choice: 'none' } : {}),
    messages: [
      ...system,
      ...request.messages.flatMap((message, at) => toMessages(message, { isCurrent: at > lastQuestion })),
    ],
  }
}

const isEffort = (thinking: ModelRequest['thinking']) =>
  thinking !== undefined && thinking !== 'off' && thinking !== 'auto'

/** OpenAI's models that think take no `max_tokens`. */
const isReasoningModel = (name: string) => /^(?:o\d|gpt-[5-9])/.test(name)

const toTool = ({ name, description, input_schema }: ModelTool) => ({
  type: 'function',
  function: { name, description, parameters: input_schema },
})

const toBlocks = ({ content }: ModelMessage): readonly ContentBlock[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content

const isQuestion = (message: ModelMessage) =>
  message.role === 'user' && toBlocks(message).some(({ type }) => type !== 'tool_result')

/** One message of ours is several here: each result of a tool is a message of its own, before what the owner says. */
function toMessages(message: ModelMessage, { isCurrent }: { isCurrent: boolean }): Dict[] {
  const blocks = toBlocks(message)
  if (message.role === 'assistant') return toAssistant(blocks, isCurrent)
  const results = blocks.filter((block): block is ToolResultBlock => block.type === 'tool_result')
  const parts = blocks.flatMap(toPart)
  const isPlain = parts.every(({ type }) => type === 'text')
  const content = isPlain ? parts.map(({ text }) => text).join('\n\n') : parts
  return [
    ...results.map(({ tool_use_id, content, is_error }) => ({
      role: 'tool',
      tool_call_id: tool_use_id,
      content: `${is_error ? 'Error: ' : ''}${toText(content)}`,
    })),
    ...(parts.length > 0 ? [{ role: 'user', content }] : []),
  ]
}

/** Thinking goes back while its tools are answered, as DeepSeek and others demand; later it is left out. */
function toAssistant(blocks: readonly ContentBlock[], isCurrent: boolean): Dict[] {
  const text = blocks.flatMap((block) => (block.type === 'text' ? [stringIn(block, 'text')] : [])).join('')
  const calls = blocks.flatMap((block) =>
    block.type === 'tool_use'
      ? [
          {
            id: stringIn(block, 'id'),
            type: 'function',
            function: {
              name: stringIn(block, 'name'),
              arguments: JSON.stringify('input' in block ? block.input : {}),
            },
          },
        ]
      : [],
  )
  const reasoning = blocks
    .map((block) => (block.type === 'reasoning' ? stringIn(block, 'reasoning') : ''))
    .join('')
  if (text === '' && calls.length === 0) return []
  return [
    {
      role: 'assistant',
      content: text === '' ? null : text,
      ...(isCurrent && calls.length > 0 && reasoning !== '' ? { reasoning_content: reasoning } : {}),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    },
  ]
}

function toPart(block: ContentBlock): Dict[] {
  if (block.type === 'text') return [{ type: 'text', text: stringIn(block, 'text') }]
  if (block.type !== 'image' || !('source' in block)) return []
  const { media_type, data, url } = block.source as Dict
  const address = typeof url === 'string' ? url : `data:${media_type};base64,${data}`
  return [{ type: 'image_url', image_url: { url: address } }]
}

/** The text of a result: passages are text by now. */
function toText(content: string | readonly object[] | undefined): string {
  if (content === undefined || typeof content === 'string') return content ?? ''
  return content
    .map((part) => stringIn(part, 'text'))
    .filter(Boolean)
    .join('\n')
}

const stringIn = (block: object, name: string): string => {
  const value: unknown = Reflect.get(block, name)
  return typeof value === 'string' ? value : ''
}

// The response. Indexes of the events put thinking first, then the text, then the calls.

const thinkingAt = 0
const textAt = 1
const firstCallAt = 2

function startReader(): WireReader {
  const open = new Set<number>()
  const calls: { id: string; index: unknown }[] = []

  function piece(index: number, block: WireBlock, delta: Dict): WireEvent[] {
    const start = open.has(index) ? [] : [{ type: 'content_block_start', index, content_block: block }]
    open.add(index)
    return [...start, { type: 'content_block_delta', index, delta }]
  }

  function think(words: string): WireEvent[] {
    if (words === '') return []
    return piece(
      thinkingAt,
      { type: 'reasoning', reasoning: '' },
      { type: 'thinking_delta', thinking: words },
    )
  }

  function say(words: string): WireEvent[] {
    return words === '' ? [] : piece(textAt, { type: 'text', text: '' }, { type: 'text_delta', text: words })
  }

  /**
   * A piece of a call continues the call of its index. Some servers send whole calls, all with the index 0 or none; a new
   * id then begins a new call.
   */
  function callPiece(call: Dict): WireEvent[] {
    const { index, id } = call
    const fn = isRecord(call.function) ? call.function : call
    const given = typeof id === 'string' ? id : ''
    const isNew = (each: { id: string }) => given !== '' && each.id !== '' && each.id !== given
    let at = calls.findLastIndex((each) => each.index === index && !isNew(each))
    if (at === -1 || (index === undefined && given === '' && typeof fn.name === 'string' && fn.name !== ''))
      at = calls.push({ id: given, index }) - 1
    const name = typeof fn.name === 'string' ? fn.name : ''
    const args = fn.arguments
    const json = typeof args === 'string' ? args : isRecord(args) ? JSON.stringify(args) : ''
    const block = { type: 'tool_use', id: given || `call_${at + 1}`, name, input: {} }
    return piece(firstCallAt + at, block, { type: 'input_json_delta', partial_json: json })
  }

  function eventsOfMessage(message: Dict): WireEvent[] {
    const list = Array.isArray(message.tool_calls) ? message.tool_calls : []
    const legacy = isRecord(message.function_call) ? [message.function_call] : []
    return [
      ...think(reasoningIn(message)),
      ...say(textIn(message.content)),
      ...say(textIn(message.refusal)),
      ...[...list, ...legacy].filter(isRecord).flatMap(callPiece),
    ]
  }

  function eventsOfChoice({ delta, message, finish_reason }: Dict): WireEvent[] {
    const said = isRecord(delta) ? delta : isRecord(message) ? message : {}
    const events = eventsOfMessage(said)
    if (typeof finish_reason !== 'string' || finish_reason === '') return events
    // Some servers end a message with calls like any other.
    const reason = calls.length > 0 && finish_reason === 'stop' ? 'tool_use' : finish_reason
    return [...events, { type: 'message_delta', delta: { stop_reason: reason } }]
  }

  function events(data: Dict): WireEvent[] {
    const choices = Array.isArray(data.choices) ? data.choices.filter(isRecord) : []
    const usage = isRecord(data.usage) ? [{ type: 'message_delta', usage: toUsage(data.usage) }] : []
    return [...choices.slice(0, 1).flatMap(eventsOfChoice), ...usage]
  }

  return {
    events,
    whole(body) {
      if (!Array.isArray(body.choices) || body.choices.length === 0)
        throw new SyntaxError('Expected a completion with choices')
      return [...events(body), { type: 'message_stop' }]
    },
  }
}

/** Text, or a list of parts of it. */
function textIn(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part) => (isRecord(part) && typeof part.text === 'string' ? part.text : '')).join('')
}

/** DeepSeek, vLLM and llama.cpp say `reasoning_content`, OpenRouter and Ollama `reasoning`. */
function reasoningIn(message: Dict): string {
  return textIn(message.reasoning_content) || textIn(message.reasoning) || textIn(message.thinking)
}

/**
 * What was read from the cache is part of `prompt_tokens`. Some servers leave thinking out of `completion_tokens`; it is
 * in their total.
 */
function toUsage({ prompt_tokens, completion_tokens, total_tokens, prompt_tokens_details }: Dict): Dict {
  const cached = isRecord(prompt_tokens_details) ? prompt_tokens_details.cached_tokens : 0
  const fromCache = Number.isSafeInteger(cached) && Number(cached) > 0 ? Number(cached) : 0
  const isWhole = [prompt_tokens, completion_tokens, total_tokens].every(Number.isSafeInteger)
  const written = isWhole ? Number(total_tokens) - Number(prompt_tokens) : 0
  return {
    input_tokens: typeof prompt_tokens === 'number' ? Math.max(0, prompt_tokens - fromCache) : prompt_tokens,
    output_tokens: written > Number(completion_tokens) ? written : completion_tokens,
    cache_read_input_tokens: fromCache,
  }
}

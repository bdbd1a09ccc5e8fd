// The same script in Chat Completions: what of it is streamed, one chunk or comment for each event of the Messages API, so
// that a cut after so many events cuts at the same place; what the API would refuse; and a request in the Messages API's
// shapes, so that a test looks at both alike.

import { type FakeMessage, type WireEvent, wireEventsOf } from './fake-messages.ts'

type Dict = Record<string, unknown>

/** The stream of a message, each chunk a string. */
export function chatFramesOf(fake: FakeMessage): string[] {
  let calls = -1
  const chunk = (delta: Dict, finish_reason: string | null = null) =>
    data({
      id: 'chatcmpl-fake',
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason }],
    })

  return wireEventsOf(fake).map((event) => {
    const { type, content_block: block, delta } = event as WireEvent & { content_block?: Dict; delta?: Dict }
    if (type === 'message_start') return chunk({ role: 'assistant', content: '' })
    if (type === 'content_block_start' && block?.type === 'tool_use') {
      calls += 1
      const fn = { name: block.name, arguments: '' }
      return chunk({ tool_calls: [{ index: calls, id: block.id, type: 'function', function: fn }] })
    }
    if (type === 'content_block_delta' && delta) return chunkOf(delta)
    if (type === 'message_delta') return end(delta?.stop_reason as string | null)
    return type === 'message_stop' ? 'data: [DONE]\n\n' : ': ping\n\n'
  })

  function chunkOf(delta: Dict): string {
    if (delta.type === 'text_delta') return chunk({ content: delta.text })
    if (delta.type === 'thinking_delta') return chunk({ reasoning_content: delta.thinking })
    if (delta.type !== 'input_json_delta') return ': ping\n\n'
    return chunk({ tool_calls: [{ index: calls, function: { arguments: delta.partial_json } }] })
  }

  function end(reason: string | null): string {
    const usage = usageOf(fake)
    const counts = usage ? data({ id: 'chatcmpl-fake', choices: [], usage }) : ''
    return chunk({}, reason === null ? null : (finishReasons[reason] ?? reason)) + counts
  }
}

const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`

const finishReasons: Readonly<Record<string, string>> = {
  ...{ end_turn: 'stop', stop_sequence: 'stop', max_tokens: 'length', tool_use: 'tool_calls' },
  refusal: 'content_filter',
}

/** What was read from the cache is part of the prompt; what was written to it is not told apart. */
function usageOf({ options }: FakeMessage): Dict | null {
  if (options.usage === null) return null
  const { input_tokens = 100, output_tokens = 20, ...cache } = options.usage ?? {}
  const { cache_read_input_tokens: read = 0, cache_creation_input_tokens: written = 0 } = cache
  return {
    prompt_tokens: input_tokens + read + written,
    completion_tokens: output_tokens,
    prompt_tokens_details: { cached_tokens: read },
  }
}

const errorTypes: Readonly<Record<string, Dict>> = {
  rate_limit_error: { type: 'requests', code: 'rate_limit_exceeded' },
  overloaded_error: { type: 'service_unavailable_error' },
  authentication_error: { type: 'invalid_request_error', code: 'invalid_api_key' },
  not_found_error: { type: 'invalid_request_error', code: 'model_not_found' },
  api_error: { type: 'server_error' },
}

export const chatError = (type: string, message: string): Dict => ({
  error: { message, param: null, code: null, ...(errorTypes[type] ?? { type }) },
})

// The rules of the API, as far as a client can break them. The texts are close to the real ones.

const fields = new Set([
  ...['model', 'messages', 'tools', 'tool_choice', 'max_tokens', 'max_completion_tokens'],
  ...['stream', 'stream_options', 'reasoning_effort'],
])
const messageFields: Readonly<Record<string, readonly string[]>> = {
  system: ['content'],
  user: ['content'],
  assistant: ['content', 'tool_calls', 'reasoning_content'],
  tool: ['content', 'tool_call_id'],
}

/** What the API would say to this request, or `null` when it would take it. */
export function whyChatRefused(body: unknown): string | null {
  if (!isDict(body)) return 'We could not parse the JSON body of your request.'
  const unknown = Object.keys(body).find((name) => !fields.has(name))
  if (unknown) return `Unrecognized request argument supplied: ${unknown}`
  const { messages, tools, tool_choice, max_tokens, max_completion_tokens } = body
  if (!(Number(max_completion_tokens ?? max_tokens) > 0)) return 'max_tokens is too small: at least 1'
  if (!Array.isArray(messages) || messages.length === 0) return "[] is too short - 'messages'"
  if (tool_choice !== undefined && tools === undefined)
    return "'tool_choice' is only allowed when 'tools' are specified."
  return (
    firstOf(messages, whyMessageRefused) ??
    whyOrderRefused(messages) ??
    (tools === undefined ? null : whyToolsRefused(tools))
  )
}

const firstOf = (list: readonly unknown[], why: (each: unknown, at: number) => string | null) => {
  for (const [at, each] of list.entries()) {
    const refusal = why(each, at)
    if (refusal) return refusal
  }
  return null
}

function whyMessageRefused(message: unknown, at: number): string | null {
  if (!isDict(message)) return `Invalid type for 'messages[${at}]': expected an object.`
  const { role, content, tool_calls } = message
  const known = messageFields[String(role)]
  if (!known)
    return `Invalid value: '${role}'. Supported values are: 'system', 'assistant', 'user', and 'tool'.`
  const unknown = Object.keys(message).find((name) => name !== 'role' && !known.includes(name))
  if (unknown) return `Unknown parameter: 'messages[${at}].${unknown}'.`
  if (tool_calls !== undefined && (!Array.isArray(tool_calls) || tool_calls.length === 0))
    return `Invalid 'messages[${at}].tool_calls': empty array.`
  if (content === null || content === undefined)
    return role === 'assistant' && tool_calls
      ? firstOf(callsOf(message), whyCallRefused)
      : `Invalid value for 'content': expected a string, got null. (messages[${at}])`
  const refusal = typeof content === 'string' ? null : whyPartsRefused(content, String(role), at)
  return refusal ?? firstOf(callsOf(message), whyCallRefused)
}

function whyPartsRefused(content: unknown, role: string, at: number): string | null {
  if (!Array.isArray(content) || content.length === 0)
    return `Invalid 'messages[${at}].content': empty array.`
  return firstOf(content, (part) => {
    const { type, text, image_url } = isDict(part) ? part : {}
    if (type === 'text') return typeof text === 'string' ? null : `Missing 'messages[${at}].content.text'.`
    const isImage = type === 'image_url' && role === 'user' && isDict(image_url)
    return isImage ? null : `Invalid value: '${type}' in 'messages[${at}].content' of role '${role}'.`
  })
}

function whyCallRefused(call: unknown): string | null {
  const { id, type, function: fn } = isDict(call) ? call : {}
  if (typeof id !== 'string' || id === '' || type !== 'function' || !isDict(fn))
    return "Invalid 'tool_calls'."
  if (!namePattern.test(String(fn.name))) return `Invalid 'tool_calls.function.name': ${fn.name}`
  return typeof fn.arguments === 'string' ? null : "Invalid type for 'tool_calls.function.arguments'."
}

const namePattern = /^[a-zA-Z0-9_-]{1,64}$/

/** Each call is answered at once, and nothing else is. */
function whyOrderRefused(messages: readonly unknown[]): string | null {
  let open: unknown[] = []
  for (const message of [...messages, { role: 'end' }]) {
    const { role, tool_call_id } = message as Dict
    if (role === 'tool') {
      if (!open.includes(tool_call_id))
        return "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
      open = open.filter((id) => id !== tool_call_id)
    } else {
      if (open.length > 0)
        return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.join(', ')}`
      open = callsOf(message).map(({ id }) => id)
    }
  }
  return null
}

function whyToolsRefused(tools: unknown): string | null {
  if (!Array.isArray(tools) || tools.length === 0) return "[] is too short - 'tools'"
  return firstOf(tools, (tool, at) => {
    const { type, function: fn } = isDict(tool) ? tool : {}
    if (type !== 'function' || !isDict(fn) || !namePattern.test(String(fn.name)))
      return `Invalid 'tools[${at}].function.name'.`
    const isObject = isDict(fn.parameters) && fn.parameters.type === 'object'
    return isObject ? null : `Invalid schema for function '${fn.name}': schema must be of type "object".`
  })
}

// The request in the shapes of the Messages API.

export function toMessagesBody(body: Dict): Dict {
  const { messages = [], tools, tool_choice, max_tokens, max_completion_tokens, ...rest } = body
  const list = messages as Dict[]
  const system = list.flatMap(({ role, content }) => (role === 'system' ? [String(content)] : [])).join('\n')
  return {
    ...rest,
    max_tokens: max_completion_tokens ?? max_tokens,
    ...(system === '' ? {} : { system }),
    ...(Array.isArray(tools) ? { tools: tools.map(toTool) } : {}),
    ...(tool_choice === undefined ? {} : { tool_choice: { type: tool_choice } }),
    messages: list.filter(({ role }) => role !== 'system').reduce<Dict[]>(addMessage, []),
  }
}

const toTool = ({ function: fn }: { function: Dict }) => {
  const { parameters, ...tool } = fn
  return { ...tool, input_schema: parameters }
}

/** Results of tools stand in one message with what the owner says behind them. */
function addMessage(messages: Dict[], message: Dict): Dict[] {
  const last = messages.at(-1)
  const blocks = toBlocks(message)
  const isBehind = last?.role === 'user' && message.role !== 'assistant'
  if (isBehind) (last.content as Dict[]).push(...blocks)
  else messages.push({ role: message.role === 'assistant' ? 'assistant' : 'user', content: blocks })
  return messages
}

function toBlocks(message: Dict): Dict[] {
  const { role, content, tool_call_id, reasoning_content: reasoning } = message
  if (role === 'tool') return [{ type: 'tool_result', tool_use_id: tool_call_id, content }]
  const texts = typeof content === 'string' ? [{ type: 'text', text: content }] : []
  const parts = Array.isArray(content) ? (content as Dict[]).map(toPart) : []
  const calls = callsOf(message).map(({ id, function: fn }) => ({
    ...{ type: 'tool_use', id, name: (fn as Dict).name },
    input: JSON.parse(String((fn as Dict).arguments)),
  }))
  return [...(reasoning ? [{ type: 'reasoning', reasoning }] : []), ...texts, ...parts, ...calls]
}

const toPart = (part: Dict): Dict =>
  part.type === 'image_url' ? { type: 'image', source: part.image_url } : part

const callsOf = (message: unknown): Dict[] =>
  isDict(message) && Array.isArray(message.tool_calls) ? message.tool_calls : []

function isDict(value: unknown): value is Dict {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

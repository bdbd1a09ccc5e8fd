// What the fake Messages API can say: blocks, messages of blocks, faults, and their frames on the wire.

export type Block = { block: Record<string, unknown>; deltas: Record<string, unknown>[] }

export type MessageOptions = {
  /** Left out: `tool_use` when there is a tool call, `end_turn` otherwise. */
  stopReason?: string | null
  /** Left out: 100 in, 20 out. `null` leaves usage out, as some local servers do. */
  usage?: Record<string, number> | null
  /** A pause before every delta. */
  delayMs?: number
  /** Breaks the connection after this many events. */
  cutAfter?: number
  /** Sends nothing more after this many events, and keeps the connection. */
  silentAfter?: number
  /** Sends an `error` event after this many events; `overloaded_error` when no type is named. */
  errorAfter?: { events: number; type?: string; message?: string }
  /** Keeps the connection open after `message_stop`. */
  openEnd?: boolean
  /** `ping` events after the first. */
  pings?: number
}

export type FakeMessage = { blocks: Block[]; options: MessageOptions }
export type FakeFault = { status: number; type: string; message: string; headers?: Record<string, string> }

/** Text in `deltas` pieces (1 when left out), with citations as the API streams them. */
export function text(
  value: string,
  options: { deltas?: number; citations?: Record<string, unknown>[] } = {},
): Block {
  const citations = (options.citations ?? []).map((citation) => ({ type: 'citations_delta', citation }))
  const pieces = split(value, options.deltas ?? 1).map((piece) => ({ type: 'text_delta', text: piece }))
  const block = { type: 'text', text: '', ...(options.citations ? { citations: [] } : {}) }
  return { block, deltas: [...pieces, ...citations] }
}

export function toolUse(name: string, input: unknown, options: { id?: string; deltas?: number } = {}): Block {
  return rawToolUse(name, JSON.stringify(input), options)
}

/** A call whose arguments are the given string, valid JSON or not. */
export function rawToolUse(
  name: string,
  json: string,
  options: { id?: string; deltas?: number } = {},
): Block {
  const id = options.id ?? `toolu_fake_${name}_${json.length}`
  const deltas = split(json, options.deltas ?? 2).map((partial_json) => ({
    type: 'input_json_delta',
    partial_json,
  }))
  return { block: { type: 'tool_use', id, name, input: {} }, deltas }
}

export function thinking(value: string, signature = 'c2lnbmF0dXJl'): Block {
  const deltas = split(value, 2).map((piece) => ({ type: 'thinking_delta', thinking: piece }))
  const block = { type: 'thinking', thinking: '', signature: '' }
  return { block, deltas: [...deltas, { type: 'signature_delta', signature }] }
}

export const redactedThinking = (data: string): Block => ({
  block: { type: 'redacted_thinking', data },
  deltas: [],
})

export const message = (blocks: Block[], options: MessageOptions = {}): FakeMessage => ({ blocks, options })

export const httpError = (
  status: number,
  type: string,
  words: string,
  headers: Record<string, string> = {},
): FakeFault => ({ status, type, message: words, headers })

/** 429; `retryAfter` in seconds, as the header has it. */
export const rateLimited = (retryAfter: string) =>
  httpError(429, 'rate_limit_error', 'This request would exceed your rate limit', {
    'retry-after': retryAfter,
  })

/** 529, with a wait short enough for a test. */
export const overloaded = () => httpError(529, 'overloaded_error', 'Overloaded', { 'retry-after-ms': '1' })

/** The server-sent events of the message, each a string, made once and kept. */
export function framesOf(fake: FakeMessage): string[] {
  const known = frameCache.get(fake)
  if (known) return known
  const frames = wireEventsOf(fake).map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  frameCache.set(fake, frames)
  return frames
}

/** The message as the API answers without `stream`. */
export function wholeMessage(fake: FakeMessage): Record<string, unknown> {
  const content = fake.blocks.map(({ block, deltas }) =>
    block.type === 'tool_use' ? { ...block, input: inputOf(deltas) } : deltas.reduce(grow, { ...block }),
  )
  return {
    ...emptyMessage,
    content,
    stop_reason: stopReasonOf(fake),
    usage: fake.options.usage ?? usual,
  }
}

const frameCache = new WeakMap<FakeMessage, string[]>()
const usual = {
  input_tokens: 100,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 20,
}

export type WireEvent = { type: string; [field: string]: unknown }

export function wireEventsOf(fake: FakeMessage): WireEvent[] {
  const { usage, pings = 1 } = fake.options
  const counts = { ...usual, ...usage }
  const begin = usage === null ? {} : { usage: { ...counts, output_tokens: 1 } }
  const end = usage === null ? {} : { usage: { output_tokens: counts.output_tokens } }
  return [
    { type: 'message_start', message: { ...emptyMessage, ...begin } },
    ...Array.from({ length: pings }, () => ({ type: 'ping' })),
    ...fake.blocks.flatMap(blockEvents),
    { type: 'message_delta', delta: { stop_reason: stopReasonOf(fake), stop_sequence: null }, ...end },
    { type: 'message_stop' },
  ]
}

function blockEvents({ block, deltas }: Block, index: number): WireEvent[] {
  return [
    { type: 'content_block_start', index, content_block: block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]
}

const emptyMessage = {
  id: 'msg_fake',
  type: 'message',
  role: 'assistant',
  model: 'fake-model',
  content: [],
  stop_reason: null,
  stop_sequence: null,
}

function stopReasonOf({ blocks, options }: FakeMessage): string | null {
  if (options.stopReason !== undefined) return options.stopReason
  return blocks.some(({ block }) => block.type === 'tool_use') ? 'tool_use' : 'end_turn'
}

function grow(block: Record<string, unknown>, delta: Record<string, unknown>): Record<string, unknown> {
  switch (delta.type) {
    case 'text_delta':
      return { ...block, text: `${block.text}${delta.text}` }
    case 'thinking_delta':
      return { ...block, thinking: `${block.thinking}${delta.thinking}` }
    case 'signature_delta':
      return { ...block, signature: delta.signature }
    case 'citations_delta':
      return {
        ...block,
        citations: [...(Array.isArray(block.citations) ? block.citations : []), delta.citation],
      }
    default:
      return block
  }
}

/** The arguments in one piece; an API without `stream` has no way of sending ones that are not JSON. */
function inputOf(deltas: Record<string, unknown>[]): unknown {
  try {
    return JSON.parse(deltas.map(({ partial_json }) => partial_json).join(''))
  } catch {
    return {}
  }
}

function split(value: string, count: number): string[] {
  const size = Math.max(1, Math.ceil(value.length / count))
  return Array.from({ length: Math.ceil(value.length / size) }, (_, n) =>
    value.slice(n * size, (n + 1) * size),
  )
}

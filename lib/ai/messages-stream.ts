// Reads a response of the Messages API, streamed or in one piece, and folds its events into a `ModelResponse`. Blocks keep
// their citations, thinking and signatures exactly as sent, because they have to go back unchanged. Reading is lenient
// about what servers other than the API leave out: usage, an index, an unknown type of block.
//
// The stream is read as raw events rather than through the SDK's helper: a `ping` shows that a quiet model is alive, and
// folding costs one string append a delta instead of a new message object.

import { readJson } from '../core/net/read-body.ts'
import { createEventReader, maxEventLength } from '../core/text/event-stream.ts'
import { type ContentBlock, type ModelResponse, noUsage, type Usage } from './model.ts'
import type { Failure, SilenceWatch } from './model-failure.ts'

/** An event as parsed from JSON, before any field of it has been validated. */
type WireEvent = {
  type?: unknown
  index?: unknown
  message?: { content?: unknown; stop_reason?: unknown; usage?: unknown } | null
  content_block?: Block | null
  delta?: Record<string, unknown> | null
  usage?: unknown
  error?: WireError | null
}

type WireError = { type?: unknown; message?: unknown }

type Block = { type: string; [field: string]: unknown }

/** A response in one piece, before any field of it has been validated. */
type WholeMessage = { content?: unknown; stop_reason?: unknown; usage?: unknown; error?: WireError | null }

export type StreamFold = {
  add(event: WireEvent): void
  /** Whether the message has ended. */
  isComplete(): boolean
  /** Whether any text was emitted: from then on a retry would repeat it. */
  hasEmitted(): boolean
  response(): ModelResponse
}

/** Milliseconds that the connection of a finished message may stay open; read to its end, it can be reused. */
const drainMs = 250

/** Reads the response to its end. Returns the error in it, if there is one; whether it is complete is the fold's to say. */
export async function readResponse(
  response: Response,
  fold: StreamFold,
  watch: SilenceWatch,
): Promise<Failure | null> {
  const type = response.headers.get('content-type') ?? ''
  if (type.includes('html')) throw new SyntaxError(`Expected an event stream, not ${type}`)
  return type.includes('json') ? await readWhole(response, fold) : await readStream(response, fold, watch)
}

async function readStream(
  { body }: Response,
  fold: StreamFold,
  watch: SilenceWatch,
): Promise<Failure | null> {
  if (!body) throw new SyntaxError('Expected a response with a body')
  const reader = createEventReader()
  for await (const chunk of body) {
    for (const { type, data } of reader.push(chunk)) {
      watch.refresh()
      if (type === 'ping' || !data.startsWith('{')) continue
      const event: WireEvent = JSON.parse(data)
      if (type === 'error' || event.type === 'error') return toFailure(event.error)
      fold.add(event)
      if (event.type === 'message_stop') watch.start(drainMs)
    }
  }
  return null
}

/** A whole answer may be as long as an event. */
const wholeBounds = { bytes: maxEventLength, values: 200_000, depth: 1000 }

/** Some servers answer in one piece even when asked to stream. */
async function readWhole(response: Response, fold: StreamFold): Promise<Failure | null> {
  const message = (await readJson(response, wholeBounds)) as WholeMessage
  if (message.error) return toFailure(message.error)
  if (!Array.isArray(message.content)) throw new SyntaxError('Expected a message with content')
  for (const event of eventsOfMessage(message)) fold.add(event)
  return null
}

const toFailure = (error: WireError | null | undefined): Failure => ({
  status: undefined,
  type: String(error?.type ?? 'api_error'),
  message: String(error?.message ?? 'no message'),
})

/** The events that would have streamed this whole message. */
export function eventsOfMessage(message: WholeMessage): WireEvent[] {
  if (!Array.isArray(message.content)) return []
  const blocks: Block[] = message.content
  return [
    ...blocks.map((block, index) => ({ type: 'content_block_start', index, content_block: block })),
    { type: 'message_delta', delta: { stop_reason: message.stop_reason }, usage: message.usage },
    { type: 'message_stop' },
  ]
}

/** `onText` gets the text as it arrives, never ending in half a surrogate pair. */
export function createStreamFold(onText: (text: string) => void): StreamFold {
  const blocks = new Map<number, { block: Block; json: string }>()
  let usage = noUsage
  let stopReason: string | null = null
  let stopped = false
  let emitted = false
  let half = ''

  function emit(text: string): void {
    const whole = half + text
    half = /[\uD800-\uDBFF]$/.test(whole) ? whole.slice(-1) : ''
    const ready = half === '' ? whole : whole.slice(0, -1)
    if (ready === '') return
    emitted = true
    onText(ready)
  }

  function startBlock(index: number, block: Block): void {
    blocks.set(index, { block: { ...block }, json: '' })
    if (block.type === 'text' && typeof block.text === 'string') emit(block.text)
  }

  function appendDelta(index: number, delta: Record<string, unknown>): void {
    if (!blocks.has(index) && delta.type === 'text_delta') startBlock(index, { type: 'text', text: '' })
    const entry = blocks.get(index)
    if (!entry) return
    if (typeof delta.partial_json === 'string') entry.json += delta.partial_json
    else applyDelta(entry.block, delta)
    if (delta.type === 'text_delta' && typeof delta.text === 'string') emit(delta.text)
  }

  function updateMessage(message: Record<string, unknown> | null | undefined, counts: unknown): void {
    if (typeof message?.stop_reason === 'string') stopReason = message.stop_reason
    usage = mergeUsage(usage, counts)
  }

  return {
    add(event) {
      const { type, delta } = event
      const index = typeof event.index === 'number' ? event.index : undefined
      if (type === 'content_block_delta' && delta) appendDelta(index ?? Math.max(0, blocks.size - 1), delta)
      else if (type === 'content_block_start' && event.content_block)
        startBlock(index ?? blocks.size, event.content_block)
      else if (type === 'message_start') updateMessage(event.message, event.message?.usage)
      else if (type === 'message_delta') updateMessage(delta, event.usage)
      else if (type === 'message_stop') stopped = true
    },
    isComplete: () => stopped || stopReason !== null,
    hasEmitted: () => emitted,
    response: () =>
      toResponse(
        [...blocks].sort(([a], [b]) => a - b).map(([, entry]) => entry),
        stopReason,
        usage,
      ),
  }
}

function applyDelta(block: Block, delta: Record<string, unknown>): void {
  switch (delta.type) {
    case 'text_delta':
      block.text = stringIn(block.text) + stringIn(delta.text)
      break
    case 'thinking_delta':
      block.thinking = stringIn(block.thinking) + stringIn(delta.thinking)
      break
    case 'signature_delta':
      block.signature = delta.signature
      break
    case 'citations_delta':
      block.citations = [...(Array.isArray(block.citations) ? block.citations : []), delta.citation]
      break
  }
}

const stringIn = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The counts of a stream are cumulative: a later one replaces an earlier one. */
function mergeUsage(usage: Usage, counts: unknown): Usage {
  const entries = Object.entries(typeof counts === 'object' && counts !== null ? counts : {})
  const valid = entries.filter(([name, count]) => name in noUsage && typeof count === 'number')
  return { ...usage, ...Object.fromEntries(valid) }
}

function toResponse(
  entries: { block: Block; json: string }[],
  stopReason: string | null,
  usage: Usage,
): ModelResponse {
  const toolUses: ModelResponse['toolUses'] = []
  const content = entries.map(({ block, json }): ContentBlock => {
    if (block.type !== 'tool_use' && block.type !== 'server_tool_use') return block
    const input = json === '' ? (block.input ?? {}) : parseInput(json)
    if (block.type === 'tool_use')
      toolUses.push({ id: stringIn(block.id), name: stringIn(block.name), input })
    return { ...block, input: typeof input === 'string' ? { invalid_json: input } : input }
  })
  const text = content.map((block) => (block.type === 'text' ? stringIn(block.text) : '')).join('')
  return { text: text.toWellFormed(), content, toolUses, stopReason, usage }
}

/** The arguments, or the raw string if they are no JSON object: that fails every tool's validation. */
function parseInput(json: string): unknown {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : json
  } catch {
    return json
  }
}

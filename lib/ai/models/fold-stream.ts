// Folds the events of a Messages API stream into one response. The blocks come out as they were sent, with citations,
// thinking and signatures in place, because they have to go back unchanged. It is lenient about what servers other
// than the API leave out: usage, an index, an unknown type of block.

import { noUsage } from '../../usage/add-usage.ts'
import type { ContentBlock, ModelResponse, Usage } from '../model.ts'

/** An event as parsed from JSON, before any field of it has been looked at. */
export type WireEvent = {
  type?: unknown
  index?: unknown
  message?: { content?: unknown; stop_reason?: unknown; usage?: unknown } | null
  content_block?: Block | null
  delta?: Record<string, unknown> | null
  usage?: unknown
  error?: { type?: unknown; message?: unknown } | null
}

type Block = { type: string; [field: string]: unknown }

export type StreamFold = {
  take(event: WireEvent): void
  /** Whether the message has come to its end. */
  isComplete(): boolean
  /** Whether any text was emitted: from then on a retry would repeat it. */
  hasEmitted(): boolean
  response(): ModelResponse
}

/** `onText` gets the text as it comes, never with half of a surrogate pair at its end. */
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

  function start(index: number, block: Block): void {
    blocks.set(index, { block: { ...block }, json: '' })
    if (block.type === 'text' && typeof block.text === 'string') emit(block.text)
  }

  function grow(index: number, delta: Record<string, unknown>): void {
    if (!blocks.has(index) && delta.type === 'text_delta') start(index, { type: 'text', text: '' })
    const entry = blocks.get(index)
    if (!entry) return
    if (typeof delta.partial_json === 'string') entry.json += delta.partial_json
    else applyDelta(entry.block, delta)
    if (delta.type === 'text_delta' && typeof delta.text === 'string') emit(delta.text)
  }

  function end(delta: Record<string, unknown> | null | undefined, counts: unknown): void {
    if (typeof delta?.stop_reason === 'string') stopReason = delta.stop_reason
    usage = mergeUsage(usage, counts)
  }

  return {
    take(event) {
      const { type, delta } = event
      const given = typeof event.index === 'number' ? event.index : undefined
      if (type === 'content_block_delta' && delta) grow(given ?? Math.max(0, blocks.size - 1), delta)
      else if (type === 'content_block_start' && event.content_block)
        start(given ?? blocks.size, event.content_block)
      else if (type === 'message_start') end(event.message, event.message?.usage)
      else if (type === 'message_delta') end(delta, event.usage)
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
  const given = Object.entries(typeof counts === 'object' && counts !== null ? counts : {})
  const known = given.filter(([name, count]) => name in noUsage && typeof count === 'number')
  return { ...usage, ...Object.fromEntries(known) }
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
    const carried = { ...block, input: typeof input === 'string' ? { invalid_json: input } : input }
    if (block.type === 'tool_use')
      toolUses.push({ id: stringIn(block.id), name: stringIn(block.name), input })
    return carried
  })
  const text = content.map((block) => (block.type === 'text' ? stringIn(block.text) : '')).join('')
  return { text: text.toWellFormed(), content, toolUses, stopReason, usage }
}

/** The arguments, or the raw string where they are no JSON object: that fails every tool's validation. */
function parseInput(json: string): unknown {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : json
  } catch {
    return json
  }
}

/** An answer in one piece, before any field of it has been looked at. */
export type WholeMessage = {
  content?: unknown
  stop_reason?: unknown
  usage?: unknown
  error?: WireEvent['error']
}

/** The events that would have streamed this whole message, for a server that answers in one piece. */
export function eventsOfMessage(message: {
  content?: unknown
  stop_reason?: unknown
  usage?: unknown
}): WireEvent[] {
  if (!Array.isArray(message.content)) return []
  const blocks: Block[] = message.content
  return [
    ...blocks.map((block, index) => ({ type: 'content_block_start', index, content_block: block })),
    { type: 'message_delta', delta: { stop_reason: message.stop_reason }, usage: message.usage },
    { type: 'message_stop' },
  ]
}

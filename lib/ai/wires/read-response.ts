// Reads a response, streamed or in one piece, and folds its events into a `ModelResponse`. Blocks keep their citations,
// thinking and signatures exactly as sent, because they have to go back unchanged. Reading is lenient about what servers
// leave out: usage, an index, an unknown type of block.
//
// The stream is read as raw events rather than through an SDK's helper: any byte shows that a quiet model is alive, and
// folding costs one string append a delta instead of a new message object.

import { readJson, readText } from '../../core/net/read-body.ts'
import { isRecord } from '../../core/record.ts'
import { createEventReader, maxEventLength } from '../../core/text/event-stream.ts'
import { type ContentBlock, type ModelResponse, noUsage, type Usage } from '../model.ts'
import { type Failure, readFailure, saysFailure } from './failure.ts'
import type { SilenceWatch } from './silence.ts'
import { splitThinking, type ThinkSplitter } from './think-tags.ts'
import type { WireBlock, WireEvent, WireReader } from './wire.ts'

export type StreamFold = {
  add(event: WireEvent): void
  /** Whether the message has ended. */
  isComplete(): boolean
  /** Whether any text was emitted: from then on a retry would repeat it. */
  hasEmitted(): boolean
  response(): ModelResponse
}

/** A web page in place of an answer, as a proxy or another server shows it. The message is its title. */
export class NotAnAnswer extends SyntaxError {}

const maxPage = 1024 * 1024

/** Milliseconds that the connection of a finished message may stay open; read to its end, it can be reused. */
const drainMs = 250
/** The same after a reason to stop, which usage may follow. */
const usageMs = 2000

/** Reads the response to its end. Returns the error in it, if there is one; whether it is complete is the fold's to say. */
export async function readResponse(
  response: Response,
  reader: WireReader,
  { fold, watch }: { fold: StreamFold; watch: SilenceWatch },
): Promise<Failure | null> {
  const type = response.headers.get('content-type') ?? ''
  if (type.includes('html'))
    throw new NotAnAnswer(readFailure(await readText(response, maxPage), undefined).message)
  return type.includes('json')
    ? await readWhole(response, reader, fold)
    : await readStream(response, reader, { fold, watch })
}

async function readStream(
  { body }: Response,
  wire: WireReader,
  { fold, watch }: { fold: StreamFold; watch: SilenceWatch },
): Promise<Failure | null> {
  if (!body) throw new SyntaxError('Expected a response with a body')
  const reader = createEventReader()
  for await (const chunk of body) {
    watch.refresh()
    for (const { type, data } of reader.push(chunk)) {
      if (data.trim() === '[DONE]') {
        fold.add({ type: 'message_stop' })
        watch.start(drainMs)
      }
      if (type === 'ping' || !/^\s*\{/.test(data)) continue
      const event: Record<string, unknown> = JSON.parse(data)
      if (type === 'error' || saysFailure(event)) return readFailure(event, undefined)
      for (const each of wire.events(event)) {
        fold.add(each)
        if (each.type === 'message_stop') watch.start(drainMs)
        else if (each.type === 'message_delta' && fold.isComplete()) watch.start(usageMs)
      }
    }
  }
  return null
}

/** A whole answer may be as long as an event. */
const wholeBounds = { bytes: maxEventLength, values: 200_000, depth: 1000 }

/** Some servers answer in one piece even when asked to stream. */
async function readWhole(response: Response, wire: WireReader, fold: StreamFold): Promise<Failure | null> {
  const body = await readJson(response, wholeBounds)
  const shape = Array.isArray(body) ? body[0] : body
  if (typeof shape !== 'object' || shape === null) throw new SyntaxError('Expected an object')
  if (saysFailure(shape)) return readFailure(shape, undefined)
  for (const event of wire.whole(shape)) fold.add(event)
  return null
}

export type FoldOptions = {
  /** Gets the text as it arrives, never ending in half a surrogate pair. */
  onText: (text: string) => void
  /** Gets what the model thinks, likewise. */
  onThinking?: (text: string) => void
}

type Entry = { block: WireBlock; json: string; splitter: ThinkSplitter | null }

export function createStreamFold({ onText, onThinking = () => {} }: FoldOptions): StreamFold {
  const blocks = new Map<number, Entry>()
  const text = wholeCharacters(onText)
  const thinking = wholeCharacters(onThinking)
  let usage = noUsage
  let stopReason: string | null = null
  let stopped = false

  function startBlock(index: number, block: WireBlock): void {
    // Only what begins an answer may be thinking in tags.
    const isFirst =
      block.type === 'text' && ![...blocks.values()].some(({ block: { type } }) => type === 'text')
    const splitter = isFirst ? splitThinking() : null
    const written = block.type === 'text' ? stringIn(block.text) : ''
    blocks.set(index, { block: { ...block, ...(splitter ? { text: '' } : {}) }, json: '', splitter })
    if (block.type === 'text' && written !== '') addText(index, written)
    if (typeof block.thinking === 'string') thinking.push(block.thinking)
  }

  function addText(index: number, words: string): void {
    const entry = blocks.get(index)
    if (!entry) return
    const parts = entry.splitter ? entry.splitter.push(words) : null
    if (!parts) {
      if (entry.block.text !== words) entry.block.text = stringIn(entry.block.text) + words
      text.push(words)
    } else for (const part of parts) addPart(index, entry, part)
  }

  function addPart(index: number, entry: Entry, part: { kind: 'text' | 'thinking'; text: string }): void {
    if (part.kind === 'text') {
      entry.block.text = stringIn(entry.block.text) + part.text
      text.push(part.text)
      return
    }
    const before = index - 0.5
    const known = blocks.get(before)?.block ?? { type: 'reasoning', reasoning: '' }
    known.reasoning = stringIn(known.reasoning) + part.text
    blocks.set(before, { block: known, json: '', splitter: null })
    thinking.push(part.text)
  }

  function appendDelta(index: number, delta: Record<string, unknown>): void {
    if (!blocks.has(index) && delta.type === 'text_delta') startBlock(index, { type: 'text', text: '' })
    const entry = blocks.get(index)
    if (!entry) return
    if (typeof delta.partial_json === 'string') entry.json += delta.partial_json
    else if (delta.type === 'text_delta') {
      if (typeof delta.text === 'string' && delta.text !== '') addText(index, delta.text)
    } else applyDelta(entry.block, delta, thinking.push)
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
    hasEmitted: () => text.hasPushed(),
    response() {
      for (const [index, entry] of blocks) {
        for (const part of entry.splitter?.end() ?? []) addPart(index, entry, part)
        entry.splitter = null
      }
      const entries = [...blocks].sort(([a], [b]) => a - b).map(([, entry]) => entry)
      return toResponse(entries, stopReason, usage)
    },
  }
}

/** Hands pieces on so that none ends in half a surrogate pair. */
function wholeCharacters(use: (text: string) => void) {
  let half = ''
  let pushed = false
  return {
    hasPushed: () => pushed,
    push(piece: string): void {
      const whole = half + piece
      half = /[\uD800-\uDBFF]$/.test(whole) ? whole.slice(-1) : ''
      const ready = half === '' ? whole : whole.slice(0, -1)
      if (ready === '') return
      pushed = true
      use(ready)
    },
  }
}

function applyDelta(
  block: WireBlock,
  delta: Record<string, unknown>,
  onThinking: (text: string) => void,
): void {
  switch (delta.type) {
    case 'thinking_delta': {
      const name = block.type === 'reasoning' ? 'reasoning' : 'thinking'
      block[name] = stringIn(block[name]) + stringIn(delta.thinking)
      onThinking(stringIn(delta.thinking))
      break
    }
    case 'signature_delta':
      block.signature = delta.signature
      break
    case 'citations_delta':
      block.citations = [...(Array.isArray(block.citations) ? block.citations : []), delta.citation]
      break
  }
}

const stringIn = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The counts of a stream are cumulative: a later one replaces an earlier one. What is no count is left out. */
function mergeUsage(usage: Usage, counts: unknown): Usage {
  const entries = Object.entries(typeof counts === 'object' && counts !== null ? counts : {})
  const valid = entries.filter(
    ([name, count]) => name in noUsage && Number.isSafeInteger(count) && count >= 0,
  )
  return { ...usage, ...Object.fromEntries(valid) }
}

/** Other names for the API's reasons to stop, as servers pass them through. */
const stopReasons: Readonly<Record<string, string>> = {
  stop: 'end_turn',
  eos: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  function_call: 'tool_use',
  content_filter: 'refusal',
}

function toResponse(entries: readonly Entry[], stopReason: string | null, usage: Usage): ModelResponse {
  const toolUses: ModelResponse['toolUses'] = []
  const content = entries.map(({ block, json }): ContentBlock => {
    if (block.type !== 'tool_use' && block.type !== 'server_tool_use') return block
    const input = json === '' ? (block.input ?? {}) : parseInput(json)
    if (block.type === 'tool_use')
      toolUses.push({ id: stringIn(block.id), name: stringIn(block.name), input })
    return { ...block, input: typeof input === 'string' ? { invalid_json: input } : input }
  })
  const text = content.map((block) => (block.type === 'text' ? stringIn(block.text) : '')).join('')
  const reason = stopReason === null ? null : (stopReasons[stopReason] ?? stopReason)
  return { text: text.toWellFormed(), content, toolUses, stopReason: reason, usage }
}

/** The arguments, or the raw string if they are no JSON object: that fails every tool's validation. */
function parseInput(json: string): unknown {
  try {
    const value: unknown = JSON.parse(json)
    return isRecord(value) ? value : json
  } catch {
    return json
  }
}

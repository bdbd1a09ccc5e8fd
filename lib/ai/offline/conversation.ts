// What was written and what tools returned, parsed back from the conversation, and plans that run against it. Results
// hold untrusted text, so everything is taken apart defensively and nothing in it is ever read as a request.
//
// The offline companion stores nothing between model calls. A plan is a generator that yields the tool calls it needs and
// returns its reply; each model call runs it from the beginning against the results that are in the conversation, up to
// the first call that has none. A plan must therefore be deterministic.

import { isRecord } from '../../core/record.ts'
import { parseSource } from '../agent/sources.ts'
import type { ContentBlock, ModelMessage, ModelRequest } from '../model.ts'
import { readLetter } from './letters.ts'

/** One citable text: a passage that was found, or the text of an item that was read. */
export type Passage = {
  kind: string
  id: string
  title: string
  source: string
  /** Its blocks, word for word as the model was given them. */
  blocks: string[]
  /** What may be quoted of each of them: of mail only what its sender says there. */
  said: string[]
  /** Who wrote it, by name and address, where that is said; else empty. */
  sender: string
  /** Its place among all passages of the request, as citations count them. */
  index: number
}

export type Call = { name: string; input: Record<string, unknown> }

export type ToolResult = { isError: boolean; text: string; passages: Passage[] }

/** What `read` or `context` returned. */
export type Item = {
  kind: string
  id: string
  title: string
  fields: Record<string, unknown>
  /** `null` when it has no text. */
  body: Passage | null
  lastLine: number
  totalLines: number
}

/** `nextIndex` counts the passages before each. */
function parseToolResult(content: unknown, isError: boolean, nextIndex: () => number): ToolResult {
  if (typeof content === 'string') return { isError, text: content, passages: [] }
  const blocks: ContentBlock[] = Array.isArray(content) ? content : []
  const passages = blocks.flatMap((block) =>
    block.type === 'search_result' ? parsePassage(block, nextIndex()) : [],
  )
  return { isError, text: blocks.map(textOf).filter(Boolean).join('\n'), passages }
}

/** `null` for a result that names no item, such as an error. */
export function parseItem(result: ToolResult): Item | null {
  const facts = result.isError ? null : parseObject(result.text)
  if (typeof facts?.kind !== 'string' || typeof facts.id !== 'string') return null
  const range = /^\d{1,9}-(\d{1,9}) of (\d{1,9})$/.exec(String(facts.lines))
  const body = result.passages[0] ?? null

  return {
    kind: facts.kind,
    id: facts.id,
    title: body?.title ?? String(facts.title ?? ''),
    fields: facts,
    body,
    lastLine: Number(range?.[1] ?? 0),
    totalLines: Number(range?.[2] ?? 0),
  }
}

/** The id and the server's summary of a draft; `null` when nothing was drafted. */
export function parseDraft(result: ToolResult): { id: string; summary: string } | null {
  const draft = result.isError ? null : parseObject(result.text)
  if (typeof draft?.entity_id !== 'string' || typeof draft.summary !== 'string') return null
  return { id: draft.entity_id, summary: draft.summary }
}

function parsePassage(block: ContentBlock, index: number): Passage[] {
  const source = 'source' in block ? String(block.source) : ''
  const named = parseSource(source)
  const content: unknown = 'content' in block ? block.content : null
  // A conversation is no source: it may be this companion's own answer.
  if (!named || named.entity_type === 'conversation' || !Array.isArray(content)) return []
  const title = 'title' in block ? String(block.title) : ''
  const { entity_type: kind, entity_id: id } = named
  const texts = content.map(textOf)
  const letter = kind === 'mail_message' ? readLetter(texts) : { said: texts, sender: '' }
  return [{ kind, id, title, source, blocks: texts, ...letter, index }]
}

function textOf(block: unknown): string {
  if (typeof block !== 'object' || block === null || !('text' in block)) return ''
  return typeof block.text === 'string' ? block.text : ''
}

/** The first line, where it is a JSON object: a notice that the result was cut may follow it. */
function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text.split('\n', 1)[0] ?? '')
    return isRecord(value) ? { ...value } : null
  } catch {
    return null
  }
}

export type Conversation = {
  /** What the owner wrote last. */
  message: string
  /** The result of a call made since then; an error for a call that cannot be made; `undefined` when it can. */
  resultOf: (call: Call) => ToolResult | undefined
  /** What the message itself named, read before the first call. */
  named: Item[]
  /** Images that came with the message. */
  images: number
}

/** How the ids of its own calls begin. */
export const ownCall = 'offline_'

type Located = { block: ContentBlock; role: ModelMessage['role'] }

/** Reads the state of a turn out of the messages of a request. */
export function readConversation({ messages, tools }: ModelRequest): Conversation {
  const blocks = messages.flatMap(toBlocks)
  // In the last call, without tools, the runtime adds a text of its own after the results; the owner did not write it.
  const end = tools.length === 0 && blocks.at(-2)?.block.type === 'tool_result' ? -1 : blocks.length
  const written = blocks.slice(0, end).flatMap(({ block, role }, at) => {
    const text = role === 'user' && block.type === 'text' && 'text' in block ? String(block.text) : ''
    return text.trim() === '' ? [] : [{ text, at }]
  })
  const last = written.at(-1)
  const { results, others } = resultsSince(blocks, last?.at ?? 0)
  const offered = new Set(tools.map(({ name }) => name))

  return {
    message: last?.text ?? '',
    images: countImages(messages),
    named: others.flatMap((result) => parseItem(result) ?? []),
    resultOf(call) {
      const result = results.get(keyOf(call))
      if (result || offered.has(call.name)) return result
      const text =
        offered.size === 0
          ? 'the tool calls of this turn were used up.'
          : `this companion may not use ${call.name}.`
      return { isError: true, text, passages: [] }
    },
  }
}

/** In the owner's last message. */
function countImages(messages: readonly ModelMessage[]): number {
  const asked = messages.findLast(
    ({ role, content }) =>
      role === 'user' && (typeof content === 'string' || content.some(({ type }) => type === 'text')),
  )
  return asked && typeof asked.content !== 'string'
    ? asked.content.filter(({ type }) => type === 'image').length
    : 0
}

function toBlocks({ role, content }: ModelMessage): Located[] {
  if (typeof content === 'string') return [{ role, block: { type: 'text', text: content } }]
  return content.map((block) => ({ role, block }))
}

/**
 * Results by call, and those of calls that this model did not make. Passages are counted from the very first message on,
 * as citations number them.
 */
function resultsSince(
  blocks: Located[],
  from: number,
): { results: Map<string, ToolResult>; others: ToolResult[] } {
  const calls = new Map<string, string>()
  const results = new Map<string, ToolResult>()
  const others: ToolResult[] = []
  let counted = 0

  for (const [at, { block }] of blocks.entries()) {
    if (block.type === 'search_result') counted += 1
    if (block.type === 'tool_use' && 'id' in block && 'name' in block && at > from) {
      const input: unknown = 'input' in block ? block.input : {}
      calls.set(String(block.id), keyOf({ name: String(block.name), input }))
    }
    if (block.type !== 'tool_result' || !('tool_use_id' in block)) continue
    const isError = 'is_error' in block && block.is_error === true
    const result = parseToolResult('content' in block ? block.content : '', isError, () => counted++)
    const key = calls.get(String(block.tool_use_id))
    if (key === undefined) continue
    results.set(key, result)
    if (!String(block.tool_use_id).startsWith(ownCall)) others.push(result)
  }
  return { results, others }
}

/** The same for two calls of one tool with equal input, whatever the order of its fields. */
function keyOf({ name, input }: { name: string; input: unknown }): string {
  return JSON.stringify([name, input], (_key, value: unknown) =>
    isRecord(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}

export type Plan<T> = Generator<Call[], T, ToolResult[]>

/** One tool call and its result. */
export function* call(name: string, input: Record<string, unknown>): Plan<ToolResult> {
  const results = yield [{ name, input }]
  return results[0]!
}

/** Plans side by side: what they need in one step goes out as one batch. */
export function* inParallel<T>(plans: Plan<T>[]): Plan<T[]> {
  const steps = plans.map((plan) => plan.next())
  for (;;) {
    const open = steps.flatMap((step, index) => (step.done ? [] : [{ index, calls: step.value }]))
    if (open.length === 0) return steps.flatMap((step) => (step.done ? [step.value] : []))

    const results = yield open.flatMap(({ calls }) => calls)
    let from = 0
    for (const { index, calls } of open) {
      steps[index] = plans[index]!.next(results.slice(from, from + calls.length))
      from += calls.length
    }
  }
}

/** Runs a plan with the results at hand: the calls that have none yet, each once, or the plan's own result. */
export function runPlan<T>(
  plan: Plan<T>,
  resultOf: (call: Call) => ToolResult | undefined,
): { calls: Call[] } | { result: T } {
  let step = plan.next()
  while (!step.done) {
    const results: ToolResult[] = []
    const missing = new Map<string, Call>()
    for (const wanted of step.value) {
      const result = resultOf(wanted)
      if (result) results.push(result)
      else missing.set(keyOf(wanted), wanted)
    }
    if (missing.size > 0) return { calls: [...missing.values()] }
    step = plan.next(results)
  }
  return { result: step.value }
}

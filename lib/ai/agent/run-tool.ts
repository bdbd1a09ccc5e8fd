// One tool call, from the model's raw arguments to a tool result: validate, run, fit the result. Whatever goes wrong, the
// outcome is a result that the model can read: nothing here throws.

import { canAct, mayEnterSpace } from '../../auth/capability.ts'
import type { Card } from '../../contract/changes/card.ts'
import type { Effect } from '../../contract/events/effects.ts'
import type { DraftEvent, ToolTraceEntry } from '../../contract/events/events.ts'
import { AppError } from '../../core/errors.ts'
import { cleanLine, cleanText } from '../../core/text/clean.ts'
import type { ToolCall } from '../history/normalize-response.ts'
import type { SearchResultBlock, TextBlock, ToolResultBlock } from '../model.ts'
import { readArguments } from './arguments.ts'
import type { AgentEvent, ToolResultStep } from './events.ts'
import { deriveEffects, type Tool, type ToolContext, type ToolRegistry } from './registry.ts'
import { raceAbort } from './turn.ts'

export type RunToolOptions = {
  call: ToolCall
  registry: ToolRegistry
  ctx: ToolContext
  /** Maximum UTF-8 bytes of the result. */
  maxBytes: number
  onEvent: (event: AgentEvent) => void
  /** Called when a tool throws something other than an `AppError`. */
  onError?: ((tool: string, error: unknown) => void) | undefined
  now: () => number
  /** Answers the call with this error instead of running it. */
  refusal?: string | null
}

export type ToolOutcome = Omit<ToolResultStep, 'type'> & {
  /** The handler's return value; undefined for a call that failed. */
  value: unknown
  /** The pending change that the call stored. */
  draft: DraftEvent | null
  /** The call's effects on the owner's view. */
  effects: Effect[]
  /** UTF-8 bytes of the result. */
  bytes: number
}

/**
 * Runs the call and emits `tool` as running, then as done or failed. `ctx.signal` ends the wait for it, with an error
 * result.
 */
export async function runTool(options: RunToolOptions): Promise<ToolOutcome> {
  const { call, onEvent, now, refusal } = options
  const tool_use_id = call.id
  const args = call.input ?? null
  const about = { tool: call.name, tool_use_id, args }
  const started = now()
  onEvent({ type: 'tool', data: { ...about, status: 'running' } })

  const answer = refusal ? failed(refusal) : await attempt(options, args)
  const { content, bytes } = fitResult(answer.content, options.maxBytes)
  const { status, summary, target, given, draft, effects, value } = answer
  const duration_ms = Math.max(0, Math.round(now() - started))
  onEvent({ type: 'tool', data: { ...about, status, summary: summary ?? '', duration_ms } })
  return {
    result: toolResult(tool_use_id, content, status),
    call: { ...about, status, summary, duration_ms },
    target,
    given,
    draft,
    effects,
    value,
    bytes,
  }
}

type Answer = Pick<ToolTraceEntry, 'status' | 'summary'> &
  Pick<ToolOutcome, 'target' | 'given' | 'draft' | 'effects' | 'value'> & {
    content: ToolResultBlock['content']
  }

async function attempt(options: RunToolOptions, args: unknown): Promise<Answer> {
  const { call, registry, ctx } = options
  const tool = registry.getTool(call.name)
  if (!tool) return failed(unknownTool(call.name, registry))
  const denial = denialOf(tool, ctx, args)
  if (denial) return failed(denial)
  if (typeof args === 'string') return failed(`The arguments are not a valid JSON object: ${excerpt(args)}`)

  try {
    const read = await raceAbort(readArguments(tool, args ?? {}, ctx), ctx.signal)
    if ('problem' in read) return failed(read.problem)
    const { input, notes } = read
    ctx.signal.throwIfAborted()
    const result = await raceAbort(tool.handler(input, { ...ctx, tool_use_id: call.id }), ctx.signal)
    const failure = failureOf(result)
    if (failure === null) {
      const answer = succeeded(options, tool, input, result)
      return { ...answer, content: withNotes(answer.content, notes) }
    }
    // An outside tool describes its failure in its own words.
    return failed(failure, tool.given ? [] : null)
  } catch (error) {
    if (ctx.signal.aborted) return failed('The turn was stopped before this call had finished.')
    if (error instanceof AppError) return failed(error.message)
    return crashed(options, error)
  }
}

function denialOf(tool: Tool, ctx: ToolContext, args: unknown): string | null {
  if (!mayEnterSpace(ctx.actor, ctx.space_id)) return 'Denied: you may not enter this Space.'
  const action = ({ read: 'read', create: 'create', write: 'update' } as const)[tool.capability]
  const permission = canAct(ctx.actor, action, entityTypeOf(args))
  const allowed = action === 'read' ? permission === 'allow' : permission !== 'deny'
  return allowed
    ? null
    : `Denied: you may not use ${tool.name} in this Space. Tell the owner what you would need.`
}

/** The entity type that the arguments name, if they name one. */
function entityTypeOf(args: unknown): string {
  if (typeof args !== 'object' || args === null) return 'any'
  if ('entity_type' in args && typeof args.entity_type === 'string') return args.entity_type
  return 'kind' in args && typeof args.kind === 'string' ? args.kind : 'any'
}

function failureOf(result: unknown): string | null {
  const isFailure = typeof result === 'object' && result !== null && 'error' in result
  return isFailure && typeof result.error === 'string' ? result.error : null
}

/**
 * The call has had its effect by now, so a fault in rendering it must not read as "it failed" (the model would repeat it):
 * the result stays `done`, and the fault goes to the log.
 */
function succeeded(options: RunToolOptions, tool: Tool, input: unknown, result: unknown): Answer {
  const guard = <T>(derive: () => T, otherwise: T): T => {
    try {
      return derive()
    } catch (error) {
      options.onError?.(tool.name, error)
      return otherwise
    }
  }
  const { space_id } = options.ctx
  const asJson = () => JSON.stringify(result) ?? ''
  const summary = guard(() => (tool.summarize ? excerpt(tool.summarize(result, input)) : null), null)
  const draft = draftIn(result, summary)
  return {
    content: guard(() => tool.render?.(result) ?? asJson(), 'Done, but the result cannot be shown.'),
    status: 'done',
    summary,
    target: guard(() => tool.target?.(result, input) ?? null, null),
    given: guard(() => tool.given?.(result, input) ?? null, null),
    draft,
    value: result,
    effects: guard(() => deriveEffects(tool, { result, input, summary, draft, space_id }), []),
  }
}

/** The draft that the call stored: a result with a `pending_change_id` has one, whatever the tool. */
function draftIn(result: unknown, summary: string | null): DraftEvent | null {
  if (typeof result !== 'object' || result === null || !('pending_change_id' in result)) return null
  const { pending_change_id } = result
  if (typeof pending_change_id !== 'string') return null
  const card = 'card' in result && isCardOf(result.card, pending_change_id) ? result.card : null
  return { pending_change_id, summary: card?.summary ?? summary ?? '', card }
}

const isCardOf = (card: unknown, id: string): card is Card =>
  typeof card === 'object' && card !== null && 'pending_change_id' in card && card.pending_change_id === id

function failed(message: string, given: Answer['given'] = []): Answer {
  const content = message.trim() === '' ? 'The tool failed without a reason.' : cleanText(message)
  return {
    content,
    status: 'error',
    summary: excerpt(content),
    target: null,
    given,
    draft: null,
    effects: [],
    value: undefined,
  }
}

function crashed({ call, onError }: RunToolOptions, error: unknown): Answer {
  onError?.(call.name, error)
  return failed(
    `The tool ${call.name} failed inside Void. Trying again is unlikely to help; continue without it.`,
  )
}

const toolResult = (
  id: string,
  content: ToolResultBlock['content'],
  status: Answer['status'],
): ToolResultBlock => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...(status === 'error' ? { is_error: true } : {}),
})

function unknownTool(name: string, registry: ToolRegistry): string {
  const names = registry.listTools().map((tool) => tool.name)
  return `There is no tool "${excerpt(name)}". The tools are: ${names.join(', ') || 'none'}.`
}

/** Behind the result, whose first line programs read. */
function withNotes(content: Content, notes: readonly string[]): Content {
  if (notes.length === 0) return content
  const text = `Note: ${notes.join(' ')}`
  return typeof content === 'string' ? `${content}\n${text}` : [...content, { type: 'text', text }]
}

/** One line of under 200 characters. */
function excerpt(text: string): string {
  const line = cleanLine(text)
  return line.length < 200 ? line : `${line.slice(0, 198).replace(/[\uD800-\uDBFF]$/, '')}…`
}

// Output fitted for the model: no empty blocks, well-formed text, and not larger than its share of the turn. A cut is
// noted in the result, so that the model asks for a smaller range instead of guessing the rest.

type Content = ToolResultBlock['content']
type Part = TextBlock | SearchResultBlock

type FittedResult = { content: Content; bytes: number }

/** `content` within `maxBytes` of UTF-8 text, plus a line that says so when something was cut. */
function fitResult(content: Content, maxBytes: number): FittedResult {
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  const budget = { left: maxBytes, total: 0 }
  const fitted = parts.map((part) => fitPart(part, budget)).filter((part) => part !== null)
  if (budget.total > maxBytes) fitted.push({ type: 'text', text: cutNotice(budget.total, maxBytes) })

  if (typeof content !== 'string')
    return { content: fitted.length > 0 ? fitted : emptyResult, bytes: sizeOf(fitted) }
  const text = fitted.map((part) => (part.type === 'text' ? part.text : '')).join('\n\n')
  return { content: text || emptyResult, bytes: Buffer.byteLength(text) }
}

const emptyResult = 'The tool returned nothing.'

const cutNotice = (total: number, shown: number) =>
  `[Cut: this result has ${total} bytes and only the first ${shown} are shown. Ask for less, or for a range.]`

type Budget = { left: number; total: number }

function fitPart(part: Part, budget: Budget): Part | null {
  if (part.type === 'text') {
    const text = take(part.text, budget)
    return text.trim() === '' ? null : { ...part, text }
  }
  const content = part.content
    .map((piece) => ({ ...piece, text: take(piece.text, budget) }))
    .filter((piece) => piece.text.trim() !== '')
  if (content.length === 0) return null
  return { ...part, title: part.title.toWellFormed(), source: part.source.toWellFormed(), content }
}

/** The part of `text` that fits, never ending in half a character. */
function take(text: string, budget: Budget): string {
  const size = Buffer.byteLength(text)
  budget.total += size
  const room = Math.max(0, budget.left)
  budget.left -= size
  if (size <= room) return text.toWellFormed()
  // A cut inside a character leaves bytes that decode to U+FFFD at the very end.
  return Buffer.from(text)
    .subarray(0, room)
    .toString()
    .replace(/\uFFFD+$/, '')
}

function sizeOf(parts: Part[]): number {
  const texts = parts.flatMap((part) => (part.type === 'text' ? part.text : part.content.map((p) => p.text)))
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
}

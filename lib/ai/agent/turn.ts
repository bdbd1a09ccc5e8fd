// The state of one running turn and the few things that change it. `runtime.ts` decides what happens; this remembers.

import {
  addUsage,
  type CallModel,
  type ContentBlock,
  type ModelError,
  type ModelMessage,
  type ModelResponse,
  noUsage,
  type Usage,
} from '../model.ts'
import { toolUseIds } from './carry-back.ts'
import type { AgentEvent, ToolCallRecord, TurnStep } from './events.ts'
import { defaultLimits, type TurnLimits } from './limits.ts'
import type { ToolRegistry } from './registry.ts'
import type { ToolContext } from './tool.ts'

/** What an earlier attempt at a turn has come to by its last finished step. */
export type EarlierAttempt = {
  text: string
  usage: Usage
  modelCalls: number
  /** Of its last message. */
  stopReason: string | null
  /** The next text goes on where that message left off. */
  continuing: boolean
}

export type TurnOptions = {
  callModel: CallModel
  registry: ToolRegistry
  system: string
  /** As in `ModelRequest`. */
  systemFixed?: number
  /**
   * A valid history that ends with what is to be answered. It may also end with an assistant message whose tool calls
   * are not answered yet, as after a crash: these are run first, but for those in `answered`.
   */
  messages: ModelMessage[]
  /** Finished results of the calls in the last message, from an earlier attempt at this turn. */
  answered?: Extract<TurnStep, { type: 'tool_result' }>[]
  /** Goes on from there; `messages` hold that attempt's own behind the one that is answered. */
  earlier?: EarlierAttempt | null
  ctx: ToolContext
  /** Must not throw. Nothing is told after `runTurn` has settled. */
  onEvent: (event: AgentEvent) => void
  /** Awaited before the next step begins. When it rejects, the turn ends at once and `runTurn` rejects with the same. */
  onStep?: (step: TurnStep) => Promise<void>
  /** Model calls with tools in this turn. When they are used up, one more without tools asks for an answer. */
  maxIterations?: number
  /**
   * Asked before each call of the model: a sentence for the owner says why there may be none, and the turn ends there.
   * When it rejects, `runTurn` rejects with the same.
   */
  refuseCall?: () => Promise<string | null>
  /** Stops the turn, also in the middle of a call. `ctx.signal` does the same. */
  signal?: AbortSignal
  limits?: Partial<TurnLimits>
  /**
   * Makes a history that the model found too long shorter: a valid one that ends with the same message. Called at most
   * once a turn. Without it such a turn ends with an error.
   */
  compact?: (messages: ModelMessage[], signal: AbortSignal) => Promise<ModelMessage[]>
  /** Milliseconds, for durations and for the wall clock. */
  now?: () => number
}

export type Turn = TurnOptions & {
  /** What the model is sent next; begins as a copy of the given messages. */
  history: ModelMessage[]
  /** Where in `history` this turn's own messages begin. */
  ownFrom: number
  text: string
  usage: Usage
  toolTrace: ToolCallRecord[]
  resultBytes: number
  usedIds: Set<string>
  bounds: TurnLimits
  startedAt: number
  clock: () => number
  /** Aborted by either signal, or by the wall clock. */
  stop: AbortSignal
  /** Whether the wall clock, and not the owner, did it. */
  timedOut: () => boolean
  compacted: ModelMessage[] | null
  /** The next text goes on where the last left off. */
  continuing: boolean
  settled: boolean
}

/** A Node timer beyond this fires at once. */
const longestTimer = 2 ** 31 - 1

/** How a turn ended, before it is made into a result. */
export type Ending = { stopReason: string; error?: ModelError; stoppedOnGuard?: boolean }

/** The new turn, and the function that frees its timer. */
export function startTurn(options: TurnOptions): { turn: Turn; release: () => void } {
  const clock = options.now ?? (() => performance.now())
  const bounds = { ...defaultLimits, ...options.limits }
  const deadline = new AbortController()
  const timer = setTimeout(
    () => deadline.abort(new Error('The turn took too long')),
    Math.min(bounds.wallClockMs, longestTimer),
  )
  const given = [options.signal, options.ctx.signal].filter((signal) => signal !== undefined)

  const turn: Turn = {
    ...options,
    history: [...options.messages],
    ownFrom: options.messages.length,
    text: options.earlier?.text ?? '',
    usage: options.earlier?.usage ?? noUsage,
    toolTrace: [],
    resultBytes: 0,
    usedIds: toolUseIds(options.messages),
    bounds,
    startedAt: clock(),
    clock,
    stop: AbortSignal.any([...given, deadline.signal]),
    timedOut: () => deadline.signal.aborted && !given.some((signal) => signal.aborted),
    compacted: null,
    continuing: options.earlier?.continuing ?? false,
    settled: false,
  }
  return { turn, release: () => clearTimeout(timer) }
}

export function emit(turn: Turn, event: AgentEvent): void {
  if (!turn.settled) turn.onEvent(event)
}

/** Tells a piece of the answer, without NUL; what a later model message says begins a paragraph of its own. */
export function say(turn: Turn, piece: string): void {
  const text = piece.replaceAll('\0', '')
  if (text === '' || turn.settled) return
  const gap = turn.continuing || turn.text === '' || turn.text.endsWith('\n\n') ? '' : '\n\n'
  turn.continuing = true
  turn.text += gap + text
  turn.onEvent({ type: 'text', text: gap + text })
}

export function countUsage(turn: Turn, response: ModelResponse): void {
  turn.usage = addUsage(turn.usage, { ...noUsage, ...response.usage })
}

export function totalTokens({ usage }: Turn): number {
  const { input_tokens, output_tokens, cache_creation_input_tokens, cache_read_input_tokens } = usage
  return input_tokens + output_tokens + cache_creation_input_tokens + cache_read_input_tokens
}

/** Adds a message of the model, unless there is nothing in it that can be sent back. */
export function addAssistant(turn: Turn, content: ContentBlock[]): void {
  if (content.length > 0) turn.history.push({ role: 'assistant', content })
}

/** Keeps text that was shown and belongs to no whole message of the model. */
export function keepText(turn: Turn, text: string): void {
  if (text.trim() !== '') addAssistant(turn, [{ type: 'text', text: text.trim().toWellFormed() }])
}

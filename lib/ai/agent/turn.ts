// One running turn: what it is given, its limits, its state, and the few functions that change it. `runtime.ts` decides
// what happens.

import type { Citation } from '../../contract/events/events.ts'
import type { ThinkingLevel } from '../../contract/model.ts'
import { isText, toolUseIds } from '../history/normalize-response.ts'
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
import { type AgentEvent, addProgress, emptyProgress, type TurnProgress, type TurnStep } from './events.ts'
import type { ToolContext, ToolRegistry } from './registry.ts'

/** `fixedLength`: leading characters that are the same from turn to turn, for the provider's cache. */
export type SystemPrompt = { text: string; fixedLength: number }

export type TurnOptions = {
  callModel: CallModel
  registry: ToolRegistry
  system: string | SystemPrompt
  /**
   * A valid history that ends with what is to be answered. It may also end, as after a crash, with an assistant message
   * whose tool calls are not all answered: those without a result in the message behind it are run first.
   */
  messages: ModelMessage[]
  ctx: ToolContext
  /** Must not throw. Nothing is emitted after `runTurn` has settled. */
  onEvent: (event: AgentEvent) => void
  thinking?: ThinkingLevel
  /** Model calls with tools in this turn. When they are used up, one more without tools asks for an answer. */
  maxIterations?: number
  /** Stops the turn, also in the middle of a call. `ctx.signal` does the same. */
  signal?: AbortSignal
  limits?: Partial<TurnLimits>
  host?: TurnHost
}

/** What the host of a durable turn adds to the loop. */
export type TurnHost = {
  /** The loop adds to it in place, so the host has it however the turn ends. */
  progress?: TurnProgress
  /** Continues that attempt; `messages` then include its own, after the one that is answered. */
  earlier?: EarlierAttempt | null
  /** Awaited before the next step begins. When it rejects, the turn ends at once and `runTurn` rejects with the same. */
  onStep?: (step: TurnStep) => Promise<void>
  /** The citations in a message of the model, whose text begins at `offset` of the answer. */
  readCitations?: (content: readonly ContentBlock[], offset: number) => Promise<Citation[]>
  /** Whether an effect may change the owner's view. Default: every effect may. */
  admitEffect?: (effect: Extract<AgentEvent, { type: 'effect' }>['data']) => Promise<boolean>
  /**
   * Asked before each model call. A sentence for the owner ends the turn there; `null` allows the call. When it rejects,
   * `runTurn` rejects with the same.
   */
  refuseCall?: () => Promise<string | null>
  /**
   * Shortens a history that is too long for the model to a valid one that ends with the same message and sums up its
   * beginning; `null` at once if nothing can be left out. Called at most once a turn. Default: such a turn ends with an
   * error.
   */
  compact?: (messages: ModelMessage[]) => Promise<ModelMessage[]> | null
  /** A tool threw what it should not have. The model learns only that it failed; this is for the log. */
  onToolError?: (tool: string, error: unknown) => void
  /** Milliseconds, for durations and the wall clock. */
  now?: () => number
}

/** The state of an earlier attempt at a turn after its last finished step, besides its progress. */
export type EarlierAttempt = {
  usage: Usage
  modelCalls: number
  /** The stop reason of its last message. */
  stopReason: string | null
  /** Whether the next text continues that message. */
  continuing: boolean
  /** UTF-8 bytes that it stored. */
  bytes: number
}

type TurnLimits = {
  /** Tool calls, however many messages of the model they come in. */
  calls: number
  /** Input (cached or not) and output tokens, summed over the model calls of the turn. */
  totalTokens: number
  /** From the start of `runTurn` to its end, tool calls and waits included. */
  wallClockMs: number
  /** UTF-8 bytes of one tool result. */
  resultBytes: number
  /** UTF-8 bytes of all tool results of the turn. */
  turnResultBytes: number
  /** UTF-8 bytes of all that is stored for the turn: answer, events, the model's calls and thinking, results. */
  turnBytes: number
}

/**
 * Six calls over a full context of 200,000 tokens come to about a million, most of it read from the cache. A result
 * of 48 KiB is roughly 12,000 tokens, more than a page that a person would paste.
 */
const defaultLimits: TurnLimits = {
  calls: 32,
  totalTokens: 1_000_000,
  wallClockMs: 10 * 60_000,
  resultBytes: 48 * 1024,
  turnResultBytes: 256 * 1024,
  // Fifty drafts of the longest pages that a model writes stay far below it; only a runaway model gets there.
  turnBytes: 32 * 1024 * 1024,
}

export type Turn = {
  options: TurnOptions
  host: TurnHost
  progress: TurnProgress
  /** The messages that the model is sent next; starts as a copy of the given ones. */
  history: ModelMessage[]
  /** Where in `history` this turn's own messages begin, and what replaced those before it. */
  own: { from: number; compacted: ModelMessage[] | null }
  spent: { usage: Usage; resultBytes: number; bytes: number }
  usedIds: Set<string>
  guard: Guard
  /** Whether the next text continues the last one. */
  continuing: boolean
  /** When the model began to think; `null` while it does not. */
  thinkingSince: number | null
  settled: boolean
}

type Guard = {
  limits: TurnLimits
  startedAt: number
  clock: () => number
  /** Aborted by either signal, by the wall clock, or when the turn is full. */
  stop: AbortSignal
  /** Aborted when the turn holds all that it may. */
  full: AbortController
  /** Whether the wall clock, and not the owner, did it. */
  timedOut: () => boolean
}

/** A Node timer beyond this fires at once. */
const maxTimerMs = 2 ** 31 - 1

/** How a turn ended, before it becomes a result. */
export type Ending = { stopReason: string; error?: ModelError; stoppedOnGuard?: boolean }

/** The new turn, and the function that frees its timer. */
export function startTurn(options: TurnOptions): { turn: Turn; release: () => void } {
  const { host = {}, messages } = options
  const { guard, release } = startGuard(options)
  const turn: Turn = {
    options,
    host,
    progress: host.progress ?? emptyProgress(),
    history: [...messages],
    own: { from: messages.length, compacted: null },
    spent: { usage: host.earlier?.usage ?? noUsage, resultBytes: 0, bytes: host.earlier?.bytes ?? 0 },
    usedIds: toolUseIds(messages),
    guard,
    continuing: host.earlier?.continuing ?? false,
    thinkingSince: null,
    settled: false,
  }
  return { turn, release }
}

function startGuard({ ctx, signal, limits, host }: TurnOptions): { guard: Guard; release: () => void } {
  const clock = host?.now ?? (() => performance.now())
  const turnLimits = { ...defaultLimits, ...limits }
  const deadline = new AbortController()
  const full = new AbortController()
  const timer = setTimeout(
    () => deadline.abort(new Error('The turn took too long')),
    Math.min(turnLimits.wallClockMs, maxTimerMs),
  )
  const signals = [signal, ctx.signal].filter((each) => each !== undefined)
  const guard = {
    limits: turnLimits,
    startedAt: clock(),
    clock,
    stop: AbortSignal.any([...signals, deadline.signal, full.signal]),
    full,
    timedOut: () => deadline.signal.aborted && !signals.some(({ aborted }) => aborted),
  }
  return { guard, release: () => clearTimeout(timer) }
}

export function emit(turn: Turn, event: AgentEvent): void {
  if (turn.settled) return
  turn.spent.bytes += Buffer.byteLength(event.type === 'delta' ? event.data.text : JSON.stringify(event.data))
  addProgress(turn.progress, event)
  turn.options.onEvent(event)
}

export const emitStatus = (turn: Turn, message: string): void =>
  emit(turn, { type: 'status', data: { message } })

/**
 * Emits a piece of the answer without NUL; a later message of the model starts a new paragraph. Half a surrogate pair
 * stays, because the other half may be in the next piece. Text that the turn has no room for is dropped.
 */
export function emitText(turn: Turn, piece: string): void {
  const text = piece.replaceAll('\0', '')
  if (text !== '' && !turn.settled && hasRoom(turn, Buffer.byteLength(text))) emitPiece(turn, text)
}

function emitPiece(turn: Turn, text: string): void {
  const before = turn.progress.text
  const gap = turn.continuing || before === '' || before.endsWith('\n\n') ? '' : '\n\n'
  turn.continuing = true
  emit(turn, { type: 'delta', data: { text: gap + text } })
}

/** Counts a message's content besides its text, which is counted as it is emitted. Throws if the turn has no room. */
export function countContent(turn: Turn, content: readonly ContentBlock[]): void {
  const bytes = Buffer.byteLength(JSON.stringify(content.filter((block) => !isText(block))))
  if (hasRoom(turn, bytes)) turn.spent.bytes += bytes
  turn.guard.full.signal.throwIfAborted()
}

/** Whether the turn may store so many more bytes; if not, it is full and aborted. */
function hasRoom({ spent, guard }: Turn, bytes: number): boolean {
  if (spent.bytes + bytes > guard.limits.turnBytes) guard.full.abort(new Error('The turn is full'))
  return !guard.full.signal.aborted
}

export function countUsage({ spent }: Turn, response: ModelResponse): void {
  spent.usage = addUsage(spent.usage, { ...noUsage, ...response.usage })
}

/** Adds a message of the model, unless it has nothing that can be sent back. */
export function addAssistant(turn: Turn, content: ContentBlock[]): void {
  if (content.length > 0) turn.history.push({ role: 'assistant', content })
}

/** Adds text that was shown but belongs to no whole message of the model. */
export const addText = (turn: Turn, text: string): void =>
  addAssistant(turn, text.trim() === '' ? [] : [{ type: 'text', text: text.trim().toWellFormed() }])

/**
 * `work`, or a rejection with the signal's reason as soon as it is aborted: work that ignores the signal cannot delay the
 * stop. What it does later is ignored, its rejection included.
 */
export function raceAbort<T>(work: T | Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', stop))
  })
}

/** The ending of a turn that was stopped by the owner, or by a limit that leaves no room for another call. */
export function reachedLimit(turn: Turn): Ending | null {
  if (turn.guard.full.signal.aborted) return endFull(turn)
  const { limits, stop, timedOut, clock, startedAt } = turn.guard
  if (timedOut() || (!stop.aborted && clock() - startedAt >= limits.wallClockMs)) {
    const minutes = Math.max(1, Math.round(limits.wallClockMs / 60_000))
    return endAtLimit(turn, 'time_limit', `this turn has taken its ${minutes} min`)
  }
  if (stop.aborted) return { stopReason: 'aborted' }
  if (totalTokens(turn) < limits.totalTokens) return null
  return endAtLimit(turn, 'token_limit', `this turn has used its ${limits.totalTokens} tokens`)
}

function endFull(turn: Turn): Ending {
  const megabytes = Number((turn.guard.limits.turnBytes / 1024 / 1024).toFixed(1))
  return endAtLimit(turn, 'size_limit', `this turn holds ${megabytes} MB, which is the most one may`)
}

/** The ending of a turn that may make no further model call: `reachedLimit`, or a refusal by the host. */
export async function endBeforeCall(turn: Turn): Promise<Ending | null> {
  const limit = reachedLimit(turn)
  if (limit) return limit
  const refusal = (await turn.host.refuseCall?.()) ?? null
  if (refusal === null) return null
  addToAnswer(turn, refusal)
  return { stopReason: 'budget', stoppedOnGuard: true }
}

/** Says in the answer why it ends here. */
export function endAtLimit(turn: Turn, stopReason: string, cause: string): Ending {
  addToAnswer(turn, `I stopped here, because ${cause}. Ask again to go on.`)
  return { stopReason, stoppedOnGuard: true }
}

/** Adds a sentence of Void's to the answer and to the history, however full the turn is. */
export function addToAnswer(turn: Turn, text: string): void {
  if (!turn.settled) emitPiece(turn, text)
  turn.continuing = false
  addText(turn, text)
}

const totalTokens = ({ spent: { usage } }: Turn): number =>
  Object.values(usage).reduce((sum, tokens) => sum + tokens, 0)

// The state of one running turn, its limits, and the few things that change it. `runtime.ts` decides what happens.

import { addUsage, noUsage } from '../../usage/add-usage.ts'
import { isText, toolUseIds } from '../history/normalize-response.ts'
import type { ContentBlock, ModelError, ModelMessage, ModelResponse, Usage } from '../model.ts'
import type { AgentEvent } from './events.ts'
import { defaultLimits, type TurnLimits } from './limits.ts'
import type { TurnHost, TurnOptions } from './turn-options.ts'
import { addProgress, emptyProgress, type TurnProgress } from './turn-progress.ts'

export type Turn = {
  options: TurnOptions
  host: TurnHost
  progress: TurnProgress
  /** What the model is sent next; begins as a copy of the given messages. */
  history: ModelMessage[]
  /** Where in `history` this turn's own messages begin, and what replaced those before it. */
  own: { from: number; compacted: ModelMessage[] | null }
  spent: { usage: Usage; resultBytes: number; bytes: number }
  usedIds: Set<string>
  guard: Guard
  /** The next text goes on where the last left off. */
  continuing: boolean
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

/** How a turn ended, before it is made into a result. */
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
    settled: false,
  }
  return { turn, release }
}

function startGuard({ ctx, signal, limits, host }: TurnOptions): { guard: Guard; release: () => void } {
  const clock = host?.now ?? (() => performance.now())
  const all = { ...defaultLimits, ...limits }
  const deadline = new AbortController()
  const full = new AbortController()
  const timer = setTimeout(
    () => deadline.abort(new Error('The turn took too long')),
    Math.min(all.wallClockMs, maxTimerMs),
  )
  const signals = [signal, ctx.signal].filter((one) => one !== undefined)
  const guard = {
    limits: all,
    startedAt: clock(),
    clock,
    stop: AbortSignal.any([...signals, deadline.signal, full.signal]),
    full,
    timedOut: () => deadline.signal.aborted && !signals.some((one) => one.aborted),
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
 * Emits a piece of the answer, without NUL; a later message of the model begins a paragraph of its own. Half of a
 * surrogate pair stays: the other half may be in the next piece. What the turn has no room for is left out.
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

/** Counts what a message of the model holds besides its text. Throws when the turn has no room for that message. */
export function countContent(turn: Turn, content: readonly ContentBlock[]): void {
  const bytes = Buffer.byteLength(JSON.stringify(content.filter((block) => !isText(block))))
  if (hasRoom(turn, bytes)) turn.spent.bytes += bytes
  turn.guard.full.signal.throwIfAborted()
}

/** Whether the turn may hold so many bytes more; if not, it is full, and what runs for it is broken off. */
function hasRoom({ spent, guard }: Turn, bytes: number): boolean {
  if (spent.bytes + bytes > guard.limits.turnBytes) guard.full.abort(new Error('The turn is full'))
  return !guard.full.signal.aborted
}

export function countUsage({ spent }: Turn, response: ModelResponse): void {
  spent.usage = addUsage(spent.usage, { ...noUsage, ...response.usage })
}

/** Adds a message of the model, unless there is nothing in it that can be sent back. */
export function addAssistant(turn: Turn, content: ContentBlock[]): void {
  if (content.length > 0) turn.history.push({ role: 'assistant', content })
}

/** Adds text that was shown and belongs to no whole message of the model. */
export function addText(turn: Turn, text: string): void {
  if (text.trim() !== '') addAssistant(turn, [{ type: 'text', text: text.trim().toWellFormed() }])
}

/**
 * `work`, or a rejection with the signal's reason as soon as it is aborted: a part that does not listen to the signal
 * cannot hold up the stop. What such work does later is ignored, its rejection included.
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

/** Stopped by the owner, or by a limit that leaves no room for another call. */
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

/** What ends a turn before the next call of the model: `reachedLimit`, or a refusal of the call. */
export async function endBeforeCall(turn: Turn): Promise<Ending | null> {
  const limit = reachedLimit(turn)
  if (limit) return limit
  const refusal = (await turn.host.refuseCall?.()) ?? null
  if (refusal === null) return null
  addToAnswer(turn, refusal)
  return { stopReason: 'budget', stoppedOnGuard: true }
}

/** States in the answer why it ends here. */
export function endAtLimit(turn: Turn, stopReason: string, what: string): Ending {
  addToAnswer(turn, `I stopped here, because ${what}. Ask again to go on.`)
  return { stopReason, stoppedOnGuard: true }
}

/** Adds a sentence of Void to the answer, and to the history, however full the turn is. */
export function addToAnswer(turn: Turn, text: string): void {
  if (!turn.settled) emitPiece(turn, text)
  turn.continuing = false
  addText(turn, text)
}

function totalTokens({ spent: { usage } }: Turn): number {
  const { input_tokens, output_tokens, cache_creation_input_tokens, cache_read_input_tokens } = usage
  return input_tokens + output_tokens + cache_creation_input_tokens + cache_read_input_tokens
}

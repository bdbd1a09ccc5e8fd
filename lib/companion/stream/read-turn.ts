// Reading a turn from any point on, wherever it runs: from this server's memory while it runs here, else from the log,
// which is read again when another server notifies of a change and once a second anyway.

import type { Logger } from '../../core/logger.ts'
import type { LoggedTurn, TurnLog } from './turn-log.ts'
import type { TurnSignals } from './turn-signals.ts'
import { isLast, type TurnReader, type TurnStream } from './turn-stream.ts'

export type ReadTurn = {
  turn: LoggedTurn
  /** The number of the last event that the reader has had; 0 for none. */
  after: number
  onEvent: TurnReader
  /** Resolves when the reader has taken most of what it was sent. */
  drained?: () => Promise<void>
  signal: AbortSignal
}

/** `left`: the reader disconnected, or this server shuts down; the turn may still emit events. */
export type ReadEnd = 'ended' | 'left'

export type ReadTurnDeps = {
  logger: Logger
  log: TurnLog
  signals: TurnSignals
  /** The turn, if it runs here. */
  findStream: (turnId: string) => TurnStream | null
  /** Aborted when this server shuts down. */
  closing: AbortSignal
}

const pollMs = 1000
const perPage = 200

export async function readTurn(deps: ReadTurnDeps, request: ReadTurn): Promise<ReadEnd> {
  const { turn } = request
  const signal = AbortSignal.any([request.signal, deps.closing])
  const drained = request.drained ?? (async () => {})
  let { after } = request
  let isOver = false
  const emit: TurnReader = (event) => {
    if (event.seq <= after || isOver) return
    after = event.seq
    isOver = isLast(event)
    request.onEvent(event)
  }

  while (!signal.aborted) {
    const stream = deps.findStream(turn.id)
    if (stream) await readStream(stream)
    else if (!(await readLog())) await deps.signals.whenChanged(turn.id, pollMs, signal)
    if (isOver) return 'ended'
  }
  return 'left'

  async function readStream(stream: TurnStream): Promise<void> {
    for (;;) {
      const page = stream.listAfter(after, perPage)
      if (page.length === 0) break
      for (const event of page) emit(event)
      await drained()
      if (signal.aborted) return
    }
    if (isOver) return
    const unsubscribe = stream.subscribe(emit)
    await Promise.race([stream.end, whenAborted(signal)])
    unsubscribe()
    // What a lost turn emitted here after that is void; its log has the real events.
  }

  /** Whether there was anything. */
  async function readLog(): Promise<boolean> {
    try {
      const page = await deps.log.read(turn, after)
      for (const event of page.events) {
        emit(event)
        await drained()
      }
      isOver ||= page.isOver
      return page.events.length > 0
    } catch (error) {
      deps.logger.warn({ err: error, turn_id: turn.id }, 'turn log not loaded')
      return false
    }
  }
}

/** Its listener goes with the signal. */
const whenAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))

// Reading a turn from any point on, wherever it runs: from this server's memory while it runs here, else from the log,
// which is looked at again when another server says so and once a second anyway.

import type { Database } from '../db/pool.ts'
import { createMessagesRepo } from '../db/repos/messages.ts'
import { createTurnEventsRepo, type EventRow } from '../db/repos/turn_events.ts'
import { createTurnsRepo, type TurnRow } from '../db/repos/turns.ts'
import type { Kinds } from '../entities/kinds.ts'
import type { Logger } from '../logger.ts'
import { endOfStored } from './end-of-stored.ts'
import { firstSeq, fromRow } from './logged-events.ts'
import { showDrafts } from './show-drafts.ts'
import type { TurnSignals } from './turn-signals.ts'
import { isLast, type TurnReader, type TurnStream } from './turn-stream.ts'

export type ReadTurn = {
  turn: Pick<TurnRow, 'id' | 'space_id' | 'agent_id'>
  /** The number of the last event that the reader has had; 0 for none. */
  after: number
  tell: TurnReader
  /** Resolves when the reader has taken most of what it was told. */
  drained?: () => Promise<void>
  signal: AbortSignal
}

/** `left`: the reader went, or this server goes down; the turn may still have something to say. */
export type ReadEnd = 'ended' | 'left'

export type ReadTurnDeps = {
  database: Database
  kinds: Kinds
  logger: Logger
  signals: TurnSignals
  /** The turn, if it runs here. */
  findStream: (turnId: string) => TurnStream | null
  /** Aborted when this server goes down. */
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
  const tell: TurnReader = (event) => {
    if (event.seq <= after || isOver) return
    after = event.seq
    isOver = isLast(event)
    request.tell(event)
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
      for (const event of page) tell(event)
      await drained()
      if (signal.aborted) return
    }
    if (isOver) return
    const unsubscribe = stream.subscribe(tell)
    await Promise.race([stream.end, whenAborted(signal)])
    unsubscribe()
    // What a lost turn went on to say here was never true; its log says how it went on.
  }

  /** Whether there was anything. */
  async function readLog(): Promise<boolean> {
    try {
      const rows = await createTurnEventsRepo(deps.database).list(turn.id, after, perPage)
      if (rows.length === 0) return await readStored(undefined)
      for (const row of rows) {
        if (isGap(row, after)) return await readStored(row)
        const event = await showDrafts(deps, turn, fromRow(row, after))
        if (event) tell(event)
        await drained()
      }
      return true
    } catch (error) {
      deps.logger.warn({ err: error, turn_id: turn.id }, 'the log of a turn could not be read')
      return false
    }
  }

  /** The log has ended, or what comes next was pruned: the whole state, from what the turn left in the conversation. */
  async function readStored(next: EventRow | undefined): Promise<boolean> {
    const row = await createTurnsRepo(deps.database).find(turn.id)
    if (!row?.finished_at) return false
    const message = await createMessagesRepo(deps.database).findOfTurn(turn.id, 'assistant')
    const events = endOfStored({ turn: row, message, next, after })
    for (const event of events) {
      const shown = await showDrafts(deps, turn, event)
      if (shown) tell(shown)
    }
    isOver = true
    return true
  }
}

/** Whether a reader that has had everything up to `after` would miss something before this row. */
const isGap = (row: EventRow, after: number) => row.type !== 'snapshot' && firstSeq(row) > after + 1

/** Its listener goes with the signal. */
const whenAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))

// The database's side of a running turn. Events gather here and go along with the next step; when none comes for a
// moment, they go by themselves. One write at a time, each under the lease.

import type { Database } from '../db/pool.ts'
import type { ToolCallRow } from '../db/repos/tool_calls.ts'
import type { EventRow } from '../db/repos/turn_events.ts'
import { createTurnStepsRepo, type StepRow, type Written } from '../db/repos/turn_steps.ts'
import type { Lease } from '../db/repos/turns.ts'
import type { Logger } from '../logger.ts'
import { Interruption } from './interruption.ts'
import { toRows } from './logged-events.ts'
import type { NumberedEvent } from './turn-stream.ts'
import { withPatience } from './with-patience.ts'

export type TurnStorage = {
  /** Keeps an event for the next write. */
  add(event: NumberedEvent): void
  /** These reject with an `Interruption` (`lost`) when the lease is no longer held; nothing is stored then. */
  storeStep(step: NewStep): Promise<void>
  storeResult(step: NewStep, call: Omit<ToolCallRow, 'created_at'>): Promise<void>
  /** Keeps the step that ends the turn, which is stored with the end: nothing begins between the two. */
  holdLast(step: NewStep): void
  /** Runs the last write with the events that are not stored yet, and the step that was held. */
  finish(write: (events: EventRow[], last: StepRow | null) => Promise<boolean>): Promise<boolean>
  /** Stores what has gathered, and the step that was held. */
  flush(): Promise<void>
  /** Nothing is stored by itself from here on. */
  close(): void
}

export type NewStep = Omit<StepRow, 'turn_id' | 'event_seq'>

export type TurnStorageDeps = {
  database: Database
  logger: Logger
  lease: Lease
  /** Called when a write finds that the owner wants the turn stopped, or that the lease is lost. */
  onInterruption: (interruption: Interruption) => void
  /** Called after events were stored. */
  onStored: () => void
  /** Milliseconds that events wait for a step to go along with. */
  gatherMs?: number
}

export function createTurnStorage(deps: TurnStorageDeps): TurnStorage {
  const { database, logger, lease, gatherMs = 200 } = deps
  const steps = createTurnStepsRepo(database)
  let gathered: NumberedEvent[] = []
  let lastSeq = 0
  let held: NewStep | null = null
  let timer: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()
  let closed = false

  return {
    add(event) {
      gathered.push(event)
      lastSeq = event.seq
      if (!closed) timer ??= setTimeout(flushLater, gatherMs)
    },

    storeStep,

    async storeResult(step, call) {
      await store((events) => {
        const row = complete(step)
        return withPatience(() => steps.storeResult(lease, events, row, call))
      })
    },

    holdLast(step) {
      held = step
    },

    finish: (write) => inLine((events) => write(events, held && complete(held))),

    async flush() {
      if (held) await storeStep(held)
      else if (gathered.length > 0) await store((events) => steps.storeEvents(lease, events))
    },

    close() {
      closed = true
      clearTimeout(timer)
    },
  }

  async function storeStep(step: NewStep): Promise<void> {
    await store((events) => {
      const row = complete(step)
      return withPatience(() => steps.storeStep(lease, events, row))
    })
  }

  function complete(step: NewStep): StepRow {
    return { ...step, turn_id: lease.turn_id, event_seq: lastSeq }
  }

  async function store(write: (events: EventRow[]) => Promise<Written>): Promise<void> {
    const written = await inLine(write)
    if (!written) {
      const lost = new Interruption('lost')
      deps.onInterruption(lost)
      throw lost
    }
    if (written.stop_requested) deps.onInterruption(new Interruption('stopped'))
  }

  // What could not be stored stays, for the next write.
  async function inLine<Result>(write: (events: EventRow[]) => Promise<Result>): Promise<Result> {
    const before = last
    const { promise, resolve } = Promise.withResolvers<void>()
    last = promise
    await before
    const taken = gathered
    gathered = []
    clearTimeout(timer)
    timer = undefined
    try {
      const result = await write(toRows(taken))
      if (taken.length > 0) deps.onStored()
      return result
    } catch (error) {
      gathered = [...taken, ...gathered]
      throw error
    } finally {
      resolve()
    }
  }

  function flushLater(): void {
    timer = undefined
    if (closed || gathered.length === 0) return
    store((events) => steps.storeEvents(lease, events)).catch((error: unknown) => {
      if (error instanceof Interruption) return
      logger.warn({ err: error, turn_id: lease.turn_id }, 'events of a turn could not be stored yet')
      if (!closed) timer ??= setTimeout(flushLater, gatherMs)
    })
  }
}

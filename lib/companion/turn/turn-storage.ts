// The database's side of a running turn. Events are stored with the next step or, when none comes for a moment, by
// themselves. One write at a time, each under the lease.

import type { Logger } from '../../core/logger.ts'
import { createGathering } from '../../db/gather.ts'
import type { Database } from '../../db/pool.ts'
import type { NewToolCall } from '../../db/repos/tool_calls.ts'
import {
  createTurnStepsRepo,
  type EventRow,
  type EventsOfTurn,
  type FinishedSteps,
  type Lease,
  type StepRow,
  type Written,
} from '../../db/repos/turn_steps.ts'
import { retryWhileDatabaseUnavailable } from '../../db/retry-while-unavailable.ts'
import { toRows } from '../stream/logged-events.ts'
import type { NumberedEvent } from '../stream/turn-stream.ts'
import { Interruption } from './running-turn.ts'

/** Stores events of a turn by themselves. */
export type StoreEvents = (write: EventsOfTurn) => Promise<Written>

/** For how long the events of turns are gathered, and of how many at most, to be stored in one statement. */
const gathered = { forMs: 25, most: 500 }

/** Stores the events of all turns of this server. */
export function createEventStore(database: Database): StoreEvents {
  return createGathering(gathered, createTurnStepsRepo(database).storeEvents).add
}

export type NewStep = Omit<StepRow, 'turn_id' | 'event_seq'>

export type TurnStorageDeps = {
  database: Database
  logger: Logger
  lease: Lease
  storeEvents: StoreEvents
  /** Called when a write finds that the owner wants the turn stopped, or that the lease is lost. */
  onInterruption: (interruption: Interruption) => void
  /** Called after events were stored. */
  onStored: () => void
  /** Milliseconds that events wait for a step to be stored with. */
  flushDelayMs?: number
}

/** Its writes reject with an `Interruption` (`lost`) when the lease is no longer held; nothing is stored then. */
export class TurnStorage {
  readonly #deps: TurnStorageDeps
  readonly #flushDelayMs: number
  #pending: NumberedEvent[] = []
  #lastSeq = 0
  readonly #held: { step: StepRow; call: NewToolCall | null }[] = []
  #timer: NodeJS.Timeout | undefined
  #lastWrite: Promise<unknown> = Promise.resolve()
  #closed = false

  constructor(deps: TurnStorageDeps) {
    this.#deps = deps
    this.#flushDelayMs = deps.flushDelayMs ?? 175
  }

  /** Adds an event to the next write. */
  add(event: NumberedEvent): void {
    this.#pending.push(event)
    this.#lastSeq = event.seq
    this.#schedule()
  }

  /** Stores a step, and before it those that were held. `call`: the record of the call whose result it holds. */
  async storeStep(step: NewStep, call: NewToolCall | null = null): Promise<void> {
    this.holdStep(step, call)
    await this.#storeHeld()
  }

  /**
   * Holds a step that may be lost, because nothing begins that must not be done twice: it is stored with the next one, or
   * with the end of the turn.
   */
  holdStep(step: NewStep, call: NewToolCall | null = null): void {
    const row = { ...step, turn_id: this.#deps.lease.turn_id, event_seq: this.#lastSeq }
    this.#held.push({ step: row, call })
  }

  /** Runs the last write with what is not stored yet. */
  finish<Result>(write: (events: EventRow[], finished: FinishedSteps) => Promise<Result>): Promise<Result> {
    return this.#inTurn((events) => write(events, this.#finished()))
  }

  /** Stores the pending events, and the steps that were held. */
  async flush(): Promise<void> {
    if (this.#held.length > 0) await this.#storeHeld()
    else if (this.#pending.length > 0) await this.#storeEvents()
  }

  /** Nothing is stored on a timer from here on. */
  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
  }

  #finished(): FinishedSteps {
    return {
      steps: this.#held.map(({ step }) => step),
      calls: this.#held.flatMap(({ call }) => call ?? []),
    }
  }

  async #storeHeld(): Promise<void> {
    const finished = this.#finished()
    const { database, lease } = this.#deps
    await this.#store((events) =>
      retryWhileDatabaseUnavailable(() => createTurnStepsRepo(database).storeSteps(lease, events, finished)),
    )
    this.#held.splice(0, finished.steps.length)
  }

  async #storeEvents(): Promise<void> {
    const { storeEvents, lease } = this.#deps
    await this.#store((events) => storeEvents({ lease, events }))
  }

  async #store(write: (events: EventRow[]) => Promise<Written>): Promise<void> {
    const { onInterruption } = this.#deps
    const written = await this.#inTurn(write)
    if (!written) {
      const lost = new Interruption('lost')
      onInterruption(lost)
      throw lost
    }
    if (written.stop_requested) onInterruption(new Interruption('stopped'))
  }

  // One write at a time. Events that could not be stored stay for the next one.
  async #inTurn<Result>(write: (events: EventRow[]) => Promise<Result>): Promise<Result> {
    const before = this.#lastWrite
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#lastWrite = promise
    await before
    const events = this.#pending
    this.#pending = []
    clearTimeout(this.#timer)
    this.#timer = undefined
    try {
      const result = await write(toRows(events))
      if (events.length > 0) this.#deps.onStored()
      return result
    } catch (error) {
      this.#pending = [...events, ...this.#pending]
      throw error
    } finally {
      resolve()
    }
  }

  #schedule(): void {
    if (!this.#closed) this.#timer ??= setTimeout(() => void this.#flushLater(), this.#flushDelayMs)
  }

  async #flushLater(): Promise<void> {
    this.#timer = undefined
    if (this.#closed || this.#pending.length === 0) return
    try {
      await this.#storeEvents()
    } catch (error) {
      if (error instanceof Interruption) return
      const { logger, lease } = this.#deps
      logger.warn({ err: error, turn_id: lease.turn_id }, 'turn events not stored yet')
      this.#schedule()
    }
  }
}

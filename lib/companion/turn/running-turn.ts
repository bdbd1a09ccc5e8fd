// A running turn: what it works with, what may interrupt it, and its side of the database.

import type { TurnProgress } from '../../ai/agent/events.ts'
import type { ToolRegistry } from '../../ai/agent/registry.ts'
import type { ToolServices } from '../../ai/agent/services.ts'
import type { CurrentModel } from '../../ai/models/model-provider.ts'
import type { SideModels } from '../../ai/models/side-models.ts'
import type { DailyBudget } from '../../ai/usage/budget.ts'
import type { Prices } from '../../ai/usage/prices.ts'
import type { LoadCards } from '../../changes/card/load-cards.ts'
import type { UserMessage } from '../../contract/companion/companion.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import type { AgentActor } from '../../core/actor.ts'
import type { Logger } from '../../core/logger.ts'
import type { Calendar } from '../../core/schedule/calendar.ts'
import { type Database, retryWhileDatabaseUnavailable } from '../../db/pool.ts'
import type { AgentRow } from '../../db/repos/agents.ts'
import type { NamedSpace } from '../../db/repos/spaces.ts'
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
import type { TurnRow } from '../../db/repos/turns.ts'
import type { TextThreads } from '../../jobs/workers/text-threads.ts'
import type { CitationChecker } from '../reading/citations.ts'
import type { RunResearch } from '../research/run-research.ts'
import { type NumberedEvent, type TurnStream, toRows } from '../stream/turn-stream.ts'
import type { Resumption } from './resumption.ts'

/** The parts of Void that a running turn works with. */
export type TurnDeps = {
  /** Longest answer, in milliseconds. Default: ten minutes. */
  maxTurnMs?: number
  database: Database
  kinds: Kinds
  threads: TextThreads
  loadCards: LoadCards
  registry: ToolRegistry
  services: ToolServices
  budget: Pick<DailyBudget, 'refusal'>
  prices: Prices
  sideModels: SideModels
  runResearch: RunResearch
  logger: Logger
  now: () => Date
  calendar: Calendar
}

/** A message of the conversation, by its id. */
export type StoredMessage = UserMessage & { id: string }

export type RunningTurn = {
  deps: TurnDeps
  turn: TurnRow
  lease: Lease
  space: NamedSpace
  agent: AgentRow
  model: CurrentModel
  message: StoredMessage
  stream: TurnStream
  /** What an earlier attempt has done. */
  resumption: Resumption | null
  /** Aborted with an `Interruption`. */
  controller: AbortController
}

/** What a running turn is stored and checked with. */
export type TurnHostParts = {
  storage: TurnStorage
  citations: CitationChecker
  /** What the turn has come to so far; added to. */
  progress: TurnProgress
}

/** The agent, in this turn, reads this Space and no other. */
export const toActor = (agent: AgentRow, spaceId: string): AgentActor => ({
  kind: 'agent',
  agent_id: agent.id,
  slug: agent.slug,
  capabilities: agent.capabilities,
  spaces: [spaceId],
})

/** The name of the model that answers in a conversation: the one chosen there, for the companion that it is with. */
export const modelNameFor = (
  agent: Pick<AgentRow, 'id' | 'model'>,
  conversation: { agent_id: string; model: string | null },
): string | null => (conversation.agent_id === agent.id ? conversation.model : null) ?? agent.model

/**
 * Why a running turn is interrupted. `stopped`: the owner stopped it. `lost`: another server has taken it over.
 * `draining`: this server goes down, and another one is to go on.
 */
export class Interruption extends Error {
  readonly why: 'stopped' | 'lost' | 'draining'

  constructor(why: 'stopped' | 'lost' | 'draining') {
    super(`the turn was interrupted: ${why}`)
    this.name = 'Interruption'
    this.why = why
  }
}

export const interruptionReason = ({ reason }: AbortSignal) =>
  reason instanceof Interruption ? reason.why : null

// The database's side of a running turn. Events are stored with the next step or, when none comes for a moment, by
// themselves. One write at a time, each under the lease.

/** Stores events of a turn by themselves. */
export type StoreEvents = (write: EventsOfTurn) => Promise<Written>

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
  /** Calls that have begun and have no record. */
  readonly #begun = new Map<string | null, NewToolCall>()
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

  /** Adds the record of a call that has begun to the next write, unless it has ended by then. */
  begin(call: NewToolCall): void {
    this.#begun.set(call.tool_use_id, call)
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
    if (call) this.#begun.delete(call.tool_use_id)
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
    const begun = [...this.#begun.values()]
    const all = { steps: finished.steps, calls: [...finished.calls, ...begun] }
    await this.#store((events) =>
      retryWhileDatabaseUnavailable(() => createTurnStepsRepo(database).storeSteps(lease, events, all)),
    )
    this.#held.splice(0, finished.steps.length)
    this.#forget(begun)
  }

  async #storeEvents(): Promise<void> {
    const { storeEvents, lease } = this.#deps
    const calls = [...this.#begun.values()]
    await this.#store((events) => storeEvents({ lease, events, calls }))
    this.#forget(calls)
  }

  #forget(calls: readonly NewToolCall[]): void {
    for (const { tool_use_id } of calls) this.#begun.delete(tool_use_id)
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
      logger.warn({ err: error, turn_id: lease.turn_id }, 'turn events not stored; will be retried')
      this.#schedule()
    }
  }
}

/** Not run twice: what they do happens elsewhere, or is stored anew each time. */
const notRepeated = new Set(['callOutsideTool', 'revise'])

/**
 * The services as a turn reaches them: a database that is unavailable for a moment costs a call nothing but time, until
 * the signal is aborted.
 */
export function withDatabaseRetry(services: ToolServices, signal: AbortSignal): ToolServices {
  const wrapped = Object.entries(services).map(([name, service]) => {
    const run = service as (...given: unknown[]) => Promise<unknown>
    const retrying = (...given: unknown[]) => retryWhileDatabaseUnavailable(() => run(...given), signal)
    return [name, notRepeated.has(name) ? service : retrying]
  })
  return Object.fromEntries(wrapped)
}

// A running turn: what it works with, what may interrupt it, and its side of the database.

import type { TurnProgress } from '../../ai/agent/events.ts'
import type { ToolRegistry } from '../../ai/agent/registry.ts'
import type { ToolServices } from '../../ai/agent/services.ts'
import type { CurrentModel } from '../../ai/models/model-provider.ts'
import type { SideModels } from '../../ai/models/side-models.ts'
import type { DailyBudget } from '../../ai/usage/budget.ts'
import type { LoadCards } from '../../changes/card/load-cards.ts'
import type { UserMessage } from '../../contract/companion/companion.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import type { AgentActor } from '../../core/actor.ts'
import type { Logger } from '../../core/logger.ts'
import { createGathering } from '../../db/gather.ts'
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
  sideModels: SideModels
  runResearch: RunResearch
  logger: Logger
  now: () => Date
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
type StoreEvents = (write: EventsOfTurn) => Promise<Written>

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
      logger.warn({ err: error, turn_id: lease.turn_id }, 'turn events not stored; will be retried')
      this.#schedule()
    }
  }
}

/**
 * The services as a turn reaches them: a database that is unavailable for a moment costs a call nothing but time, until
 * the signal is aborted. Each is safe to run twice: a draft is stored once for each call, a retracted one stays so, and
 * the others read.
 */
export function withDatabaseRetry(services: ToolServices, signal: AbortSignal): ToolServices {
  const retrying = <Result>(run: () => Promise<Result>) => retryWhileDatabaseUnavailable(run, signal)

  return {
    search: (...given) => retrying(() => services.search(...given)),
    read: (...given) => retrying(() => services.read(...given)),
    list: (...given) => retrying(() => services.list(...given)),
    readView: (...given) => retrying(() => services.readView(...given)),
    name: (...given) => retrying(() => services.name(...given)),
    findQuotedText: (...given) => retrying(() => services.findQuotedText(...given)),
    propose: (...given) => retrying(() => services.propose(...given)),
    outcomes: (...given) => retrying(() => services.outcomes(...given)),
    findOutsideTools: (...given) => retrying(() => services.findOutsideTools(...given)),
    // Not run twice: what it does happens elsewhere.
    callOutsideTool: services.callOutsideTool,
    readOutsideResult: (...given) => retrying(() => services.readOutsideResult(...given)),
    searchMail: (...given) => retrying(() => services.searchMail(...given)),
    readMailThread: (...given) => retrying(() => services.readMailThread(...given)),
    retract: (...given) => retrying(() => services.retract(...given)),
    // Of outside agents alone, and stored anew each time.
    revise: services.revise,
  }
}

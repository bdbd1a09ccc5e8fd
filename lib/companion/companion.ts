// A turn, from the owner's message to `done`. `start` stores the message and the turn in one transaction; the turn then
// runs on by itself, and whoever wants to reads it, from any point on (read-turn.ts). It is stored step by step
// (running-turn.ts), under a lease that another server takes over when this one dies (turn-queue.ts).

import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Tool } from '../ai/agent/registry.ts'
import type { CallModel } from '../ai/model.ts'
import { type CurrentModel, type ModelProvider, replacedName } from '../ai/models/model-provider.ts'
import type { LiveEvent } from '../contract/events/live.ts'
import type { Actor } from '../core/actor.ts'
import { shuttingDown } from '../core/errors.ts'
import type { Database } from '../db/pool.ts'
import type { AgentRow } from '../db/repos/agents.ts'
import { type ConversationRow, createConversationsRepo } from '../db/repos/conversations.ts'
import {
  createTurnsRepo,
  type LeaseTerms,
  type MessageChanges,
  type QueuedTurn,
  type TurnRow,
} from '../db/repos/turns.ts'
import { summarizeOlder } from './prompt/digest.ts'
import {
  createTurnLog,
  hasEnded,
  type ReadEnd,
  type ReadTurn,
  readTurn,
  shareCalls,
} from './stream/read-turn.ts'
import { createTurnSignals, TurnStream } from './stream/turn-stream.ts'
import { type AcceptedTurn, createAcceptTurn, findCompanion, type TurnRequest } from './turn/accept-turn.ts'
import { forAnotherModel } from './turn/resumption.ts'
import { Interruption, type TurnDeps } from './turn/running-turn.ts'
import { type Adopted, createTurnRecovery, editQueued, withdrawQueued } from './turn/turn-queue.ts'
import { createTurnRunners, createTurnSlots, stopTurn } from './turn/turn-runners.ts'

export type CompanionDeps = TurnDeps & {
  models: ModelProvider
  /** Turns that run on this server at once; further ones wait. */
  maxTurns: number
  /** Notified of turns as they start, wait and end on this server. Must not throw. */
  onTurn?: (turn: TurnUpdate) => void
  /** Starts a turn, and may follow its stream. Must not throw. */
  watchTurn?: (stream: TurnStream, start: () => void) => void
}

type TurnUpdate = Extract<LiveEvent, { type: 'turn' }>['data']

export type Companion = {
  /**
   * The companion that answers in a Space: the one asked for, or that of the conversation in use; without a Space the
   * first one. Throws a 404 `AppError` for one that does not answer there.
   */
  agent(spaceId?: string, agentId?: string | null): Promise<AgentRow>
  /** The conversation in use in a Space, or in use with that companion, made when there is none. */
  conversation(spaceId: string, actor: Actor, agentId?: string): Promise<ConversationRow>
  /** The tools that companions can be offered. */
  tools(): Pick<Tool, 'name' | 'title' | 'capability'>[]
  /**
   * Stores the message and starts the turn, or queues it. With an idempotency key that was used before: the turn of
   * then. Throws `AppError`: 404 for an unknown Space or conversation, 409 `turn_running` (with `details.turn_id`) while
   * another turn runs in the conversation, 409 `queue_full`, 422 for a used idempotency key with another message, 503
   * `too_busy` when too many wait for a slot, 503 `shutting_down`.
   */
  start(actor: Actor, request: TurnRequest): Promise<TurnRow>
  /** Tells the events of a turn after a given one, past and to come, until its last, wherever it runs. */
  read(request: ReadTurn): Promise<ReadEnd>
  /** Whether the event `after` is the last one of a turn that is over. */
  hasEnded(turn: TurnRow, after: number): Promise<boolean>
  /** What waits in a conversation, the next one first. */
  queued(conversationId: string): Promise<QueuedTurn[]>
  /** Other words for a message that waits. Throws `AppError`: 404, 409 `not_queued`. */
  edit(turnId: string, changes: MessageChanges): Promise<QueuedTurn>
  /** Takes back a message that waits. Throws as `edit` does. */
  withdraw(turnId: string): Promise<TurnRow>
  /**
   * Stops a running turn, on whatever server it runs; its text so far is kept. One that has ended stays as it is. Throws
   * a 404 `AppError`.
   */
  stop(turnId: string): Promise<TurnRow>
  /** Takes back what waits in a conversation and stops what runs there. */
  endAll(conversationId: string): Promise<void>
  /** Lets go of all turns that run, for a server that is alone on its database, before it takes any: their servers are dead. */
  expireLeases(): Promise<void>
  /** Resumes turns that a dead server left, a few now and every second. The function returned ends it. */
  startRecovery(): Promise<() => void>
  /** How many turns run on this server. */
  runningTurns(): number
  /** Whether `drain` was called. */
  isDraining(): boolean
  /**
   * Takes no new turns, waits for those that run, at most `graceMs`, and leaves the others, at their last finished step,
   * to whoever takes them up. Then all readers are let go. Handing over takes at most `handOverMs` more: a database that
   * is away is not waited for, and the leases run out by themselves.
   */
  drain(graceMs: number, handOverMs: number): Promise<void>
}

/** Seconds a turn stays its runner's without a sign of life. */
const leaseSeconds = 5
const sweepMs = 1000

export function createCompanion(deps: CompanionDeps): Companion {
  const parts = createParts(deps)
  return { ...conversationVerbs(deps), ...turnVerbs(deps, parts), ...serverVerbs(deps, parts) }
}

/** What runs turns on this server. */
function createParts(deps: CompanionDeps) {
  const { models, onTurn = () => {}, watchTurn = (_stream, start) => start(), ...turnDeps } = deps
  const { database, logger } = deps
  const terms: LeaseTerms = {
    owner: randomUUID(),
    seconds: leaseSeconds,
    running: () => runners.ids(),
  }
  const signals = createTurnSignals(database.notifications)
  const server = { draining: false, closing: new AbortController() }
  /** Models that requests brought along, for queued turns. */
  const overrides = new Map<string, CurrentModel>()

  const runners = createTurnRunners({
    database,
    logger,
    terms,
    onStored: signals.notifyChange,
    onLeft(turn, { isLong }) {
      ended(turn)
      if (server.draining) return
      void recovery.startNext(turn.conversation_id)
      if (slots.isWaiting()) void recovery.startWaiting()
      if (isLong) void summarize(turn)
    },
  })
  const slots = createTurnSlots(deps.maxTurns, runners.count)
  const relaunch = (adopted: Adopted, modelName: string | null) =>
    launch(adopted, overrides.get(adopted.turn.id) ?? models.current(modelName))
  const recovery = createTurnRecovery({ ...deps, terms, slots, launch: relaunch, onFailed: ended })
  signals.onStop((turnId) => void runners.interrupt(turnId, new Interruption('stopped')))

  return { terms, signals, slots, server, overrides, runners, recovery, launch, ended }

  function launch(adopted: Adopted, model: CurrentModel): void {
    overrides.delete(adopted.turn.id)
    const turn = { ...adopted.turn, model: model.name }
    const isSame = adopted.turn.model === model.name
    const resumption = isSame ? adopted.resumption : forAnotherModel(adopted.resumption)
    watchTurn(adopted.stream, () => runners.launch({ deps: turnDeps, ...adopted, turn, model, resumption }))
    signals.notifyChange(adopted.turn.id)
    onTurn(toTurnUpdate(adopted.turn, 'started'))
  }

  function ended(turn: TurnRow): void {
    signals.notifyChange(turn.id)
    onTurn(toTurnUpdate(turn, 'ended'))
  }

  async function summarize({ id: turn_id, space_id, conversation_id }: TurnRow): Promise<void> {
    const small = () => turnDeps.sideModels.small({ purpose: 'summary', space_id, conversation_id, turn_id })
    await summarizeOlder({ database, logger, small }, conversation_id).catch((error: unknown) =>
      logger.warn({ err: error, conversation_id }, 'conversation not summarized'),
    )
  }
}

type Parts = ReturnType<typeof createParts>

const conversationVerbs = ({ database, registry }: CompanionDeps) => ({
  tools: () => registry.listTools(),

  agent: (space_id: string | null = null, agent_id: string | null = null) =>
    findCompanion(database, { space_id, agent_id, conversation_id: null }),

  async conversation(space_id: string, actor: Actor, agentId?: string): Promise<ConversationRow> {
    const id = agentId ?? (await this.agent(space_id)).id
    return await database.transaction((tx) =>
      createConversationsRepo(tx).findOrCreateForSpace(space_id, id, actor),
    )
  },
})

function turnVerbs(deps: CompanionDeps, parts: Parts) {
  const { database, logger, models, onTurn = () => {} } = deps
  const { terms, signals, slots, server, overrides, runners, recovery } = parts
  const accept = createAcceptTurn({ ...deps, terms, slots })
  const closing = server.closing.signal
  const readDeps = { logger, log: createTurnLog(deps), signals, findStream: runners.findStream, closing }

  /** The same message sent twice at once is routed and stored once. */
  const startOnce = shareCalls(start)

  return {
    start: (actor: Actor, request: TurnRequest) =>
      request.idempotency_key === null ? start(actor, request) : startOnce(actor, request),

    read: (request: ReadTurn) => readTurn(readDeps, request),
    hasEnded: (turn: TurnRow, after: number) => hasEnded(deps.database, turn, after),
    queued: (conversationId: string) => createTurnsRepo(database).listQueued(conversationId),

    async edit(turnId: string, changes: MessageChanges): Promise<QueuedTurn> {
      const turn = await editQueued(database, turnId, changes)
      onTurn(toTurnUpdate(turn, 'queued'))
      return turn
    },

    withdraw: (turnId: string) => withdraw(database, parts, turnId),
    stop: (turnId: string) => stop(database, parts, turnId),

    async endAll(conversationId: string): Promise<void> {
      const turns = createTurnsRepo(database)
      for (const { id } of await turns.listQueued(conversationId)) await stop(database, parts, id)
      const running = await turns.findOpen(conversationId)
      if (running) await stop(database, parts, running.id)
    },
  }

  async function start(actor: Actor, request: TurnRequest): Promise<TurnRow> {
    if (server.draining) throw shuttingDown()
    const override = request.callModel ? overridden(request.callModel) : null
    const findModel = (name?: string | null) => override ?? models.current(name)
    const accepted = await accept({ actor, request, findModel })
    begin(accepted, override)
    return accepted.turn
  }

  function begin(accepted: AcceptedTurn, override: CurrentModel | null): void {
    const { turn } = accepted
    if (accepted.state === 'running') {
      const { space, agent, message, events, model } = accepted
      const stream = new TurnStream(turn.id, events)
      parts.launch({ turn, space, agent, message, stream, resumption: null }, model)
    }
    if (accepted.state === 'queued') {
      if (override) overrides.set(turn.id, override)
      onTurn(toTurnUpdate(turn, 'queued'))
      // What it waits for may have ended in the meantime.
      void recovery.startNext(turn.conversation_id)
    }
  }
}

async function withdraw(database: Database, { overrides, ended }: Parts, turnId: string): Promise<TurnRow> {
  const turn = await withdrawQueued(database, turnId)
  overrides.delete(turnId)
  ended(turn)
  return turn
}

async function stop(database: Database, parts: Parts, turnId: string): Promise<TurnRow> {
  const { signals, runners, server } = parts
  const turn = await stopTurn({ database, signals, runners, closing: server.closing.signal }, turnId)
  return turn.status === 'queued' ? await withdraw(database, parts, turnId) : turn
}

const serverVerbs = ({ database }: CompanionDeps, { runners, recovery, server }: Parts) => ({
  expireLeases: () => createTurnsRepo(database).expireAll(),

  async startRecovery(): Promise<() => void> {
    await recovery.sweep()
    let busy = false
    const timer = setInterval(async () => {
      if (busy) return
      busy = true
      // A server that was busy for long must not take its own turns for a dead one's.
      await runners.renew()
      await recovery.sweep()
      busy = false
    }, sweepMs)
    return () => clearInterval(timer)
  },

  runningTurns: () => runners.count().all,
  isDraining: () => server.draining,

  async drain(graceMs: number, handOverMs: number): Promise<void> {
    server.draining = true
    await within(graceMs, runners.idle())
    runners.interruptAll(new Interruption('draining'))
    await within(handOverMs, runners.idle())
    server.closing.abort()
  },
})

/** Waits for `work`, at most so long. */
async function within(ms: number, work: Promise<void>): Promise<void> {
  const done = new AbortController()
  const late = wait(ms, undefined, { signal: done.signal }).catch(() => {})
  await Promise.race([work, late]).finally(() => done.abort())
}

const overridden = (callModel: CallModel): CurrentModel => ({ mode: 'online', name: replacedName, callModel })

const toTurnUpdate = (turn: TurnRow, state: TurnUpdate['state']): TurnUpdate => {
  const { id: turn_id, conversation_id, space_id } = turn
  return { turn_id, conversation_id, space_id, state }
}

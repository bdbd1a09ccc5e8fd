// A turn, from the owner's message to `done`. `start` stores the message and the turn in one transaction; the turn then
// runs on by itself, and whoever wants to reads it, from any point on (read-turn.ts). It is stored step by step
// (turn-recorder.ts), under a lease that another server takes over when this one dies (turn-keeper.ts).

import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { CallModel } from '../ai/model.ts'
import type { Actor } from '../auth/actor.ts'
import { type AgentRow, createAgentsRepo } from '../db/repos/agents.ts'
import { type ConversationRow, createConversationsRepo } from '../db/repos/conversations.ts'
import type { EditedMessage, QueuedTurn } from '../db/repos/queued_turns.ts'
import { createTurnLeasesRepo } from '../db/repos/turn_leases.ts'
import { createTurnsRepo, type TurnRow } from '../db/repos/turns.ts'
import { AppError } from '../errors.ts'
import { type AcceptedTurn, acceptTurn } from './accept-turn.ts'
import type { CompanionDeps, TurnNews } from './companion-deps.ts'
import { Interruption } from './interruption.ts'
import type { CurrentModel } from './model-provider.ts'
import { type ReadEnd, type ReadTurn, readTurn } from './read-turn.ts'
import { createAddressing } from './router/address-turn.ts'
import { stopTurn } from './stop-turn.ts'
import { summarizeOlder } from './summarize-older.ts'
import { type Adopted, createTurnKeeper } from './turn-keeper.ts'
import { createTurnLog } from './turn-log.ts'
import { createTurnQueue } from './turn-queue.ts'
import type { StartTurn } from './turn-request.ts'
import { createTurnRunners } from './turn-runners.ts'
import { createTurnSignals } from './turn-signals.ts'
import { TurnStream } from './turn-stream.ts'

export type Companion = {
  /** The agent that answers in the rail. */
  agent(): Promise<AgentRow>
  /** The conversation in use in a Space, made when there is none. */
  conversation(spaceId: string, actor: Actor): Promise<ConversationRow>
  /**
   * Stores the message and starts the turn, or queues it. With an idempotency key that was used before: the turn of
   * then. Throws `AppError`: 404 for an unknown Space or conversation, 409 `turn_running` (with `details.turn_id`) while
   * another turn runs in the conversation, 409 `queue_full`, 422 for a used idempotency key with another message, 503
   * `shutting_down`.
   */
  start(actor: Actor, request: StartTurn): Promise<TurnRow>
  /** Tells the events of a turn after a given one, past and to come, until its last, wherever it runs. */
  read(request: ReadTurn): Promise<ReadEnd>
  /** What waits in a conversation, the next one first. */
  queued(conversationId: string): Promise<QueuedTurn[]>
  /** Other words for a message that waits. Throws `AppError`: 404, 409 `not_queued`. */
  edit(turnId: string, asked: EditedMessage): Promise<QueuedTurn>
  /** Takes back a message that waits. Throws as `edit` does. */
  withdraw(turnId: string): Promise<TurnRow>
  /**
   * Stops a running turn, on whatever server it runs; its text so far is kept. One that has ended stays as it is. Throws
   * a 404 `AppError`.
   */
  stop(turnId: string): Promise<TurnRow>
  /** Takes back what waits in a conversation and stops what runs there. */
  endAll(conversationId: string): Promise<void>
  /**
   * Takes up turns that a dead server left, now and every few seconds; `alone` says that no other server can be at work
   * on this database. The function returned ends it.
   */
  keepTurns(options: { alone: boolean }): Promise<() => void>
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
  const { database, models, sideModels, logger, onTurn = () => {} } = deps
  const terms = { owner: randomUUID(), seconds: leaseSeconds }
  const signals = createTurnSignals(database.notifications)
  const address = createAddressing(deps)
  const queue = createTurnQueue(database, terms)
  const closing = new AbortController()
  /** Models that requests brought along, for turns that wait. */
  const overrides = new Map<string, CurrentModel>()
  let draining = false

  const runners = createTurnRunners({
    database,
    logger,
    terms,
    onStored: signals.tellChange,
    onLeft(turn, { isLong }) {
      signals.tellChange(turn.id)
      onTurn(toNews(turn, 'ended'))
      if (draining) return
      void keeper.startNext(turn.conversation_id)
      if (isLong) void summarize(turn)
    },
  })
  const keeper = createTurnKeeper({
    ...deps,
    terms,
    queue,
    launch: (adopted) => launch(adopted, overrides.get(adopted.turn.id) ?? models.current()),
    onGivenUp(turn) {
      signals.tellChange(turn.id)
      onTurn(toNews(turn, 'ended'))
    },
  })
  const readDeps = {
    logger,
    log: createTurnLog(deps),
    signals,
    findStream: runners.findStream,
    closing: closing.signal,
  }
  signals.onStop((turnId) => void runners.interrupt(turnId, new Interruption('stopped')))

  async function agent(): Promise<AgentRow> {
    const row = await createAgentsRepo(database).findBySlug('companion')
    if (!row) throw new Error('the companion agent is missing from the database')
    return row
  }

  return {
    agent,

    async conversation(spaceId, actor) {
      const { id } = await agent()
      return await database.transaction((tx) =>
        createConversationsRepo(tx).findOrCreateForSpace(spaceId, id, actor),
      )
    },

    async start(actor, request) {
      if (draining) throw shuttingDown()
      const model = request.callModel ? overridden(request.callModel) : models.current()
      const row = await agent()
      const accepted = await address(row, request, (routing) =>
        acceptTurn(
          { database, terms },
          { actor, agent: row, modelName: model.name, request: { ...request, routing } },
        ),
      )
      begin(accepted, row, model)
      return accepted.turn
    },

    read: (request) => readTurn(readDeps, request),
    queued: (conversationId) => queue.list(conversationId),

    async edit(turnId, asked) {
      const turn = await queue.edit(turnId, asked)
      onTurn(toNews(turn, 'queued'))
      return turn
    },

    async withdraw(turnId) {
      const turn = await queue.withdraw(turnId)
      overrides.delete(turnId)
      signals.tellChange(turnId)
      onTurn(toNews(turn, 'ended'))
      return turn
    },

    async stop(turnId) {
      const turn = await stopTurn({ database, signals, runners, closing: closing.signal }, turnId)
      return turn.status === 'queued' ? await this.withdraw(turnId) : turn
    },

    async endAll(conversationId) {
      for (const { id } of await queue.list(conversationId)) await this.stop(id)
      const running = await createTurnsRepo(database).findRunning(conversationId)
      if (running) await this.stop(running.id)
    },

    async keepTurns({ alone }) {
      if (alone) await createTurnLeasesRepo(database).expireAll()
      await keeper.sweep()
      let busy = false
      const timer = setInterval(async () => {
        if (busy) return
        busy = true
        // A server that was busy for long must not take its own turns for a dead one's.
        await runners.renew()
        await keeper.sweep()
        busy = false
      }, sweepMs)
      return () => clearInterval(timer)
    },

    async drain(graceMs, handOverMs) {
      draining = true
      await within(graceMs, runners.idle())
      runners.interruptAll(new Interruption('draining'))
      await within(handOverMs, runners.idle())
      closing.abort()
    },
  }

  function begin(accepted: AcceptedTurn, row: AgentRow, model: CurrentModel): void {
    const { turn } = accepted
    if (accepted.state === 'running') {
      const stream = new TurnStream(turn.id, accepted.events)
      const { space, asked } = accepted
      launch({ turn, space, agent: row, asked, stream, resumption: null }, model)
    }
    if (accepted.state === 'queued') {
      if (model.name === replaced) overrides.set(turn.id, model)
      onTurn(toNews(turn, 'queued'))
      // What it waits for may have ended in the meantime.
      void keeper.startNext(turn.conversation_id)
    }
  }

  async function summarize({ id: turn_id, space_id, conversation_id }: TurnRow): Promise<void> {
    const small = () => sideModels.small({ purpose: 'summary', space_id, conversation_id, turn_id })
    await summarizeOlder({ database, logger, small }, conversation_id).catch((error: unknown) =>
      logger.warn({ err: error, conversation_id }, 'a long conversation was not summed up'),
    )
  }

  function launch(adopted: Adopted, model: CurrentModel): void {
    overrides.delete(adopted.turn.id)
    runners.launch({ ...deps, ...adopted, turn: { ...adopted.turn, model: model.name }, model })
    signals.tellChange(adopted.turn.id)
    onTurn(toNews(adopted.turn, 'started'))
  }
}

/** Waits for `work`, at most so long. */
async function within(ms: number, work: Promise<void>): Promise<void> {
  const done = new AbortController()
  const late = wait(ms, undefined, { signal: done.signal }).catch(() => {})
  await Promise.race([work, late]).finally(() => done.abort())
}

const replaced = 'replaced'

const overridden = (callModel: CallModel): CurrentModel => ({ mode: 'online', name: replaced, callModel })

const toNews = ({ id, conversation_id, space_id }: TurnRow, state: TurnNews['state']): TurnNews => ({
  turn_id: id,
  conversation_id,
  space_id,
  state,
})

const shuttingDown = () =>
  new AppError('shutting_down', 503, 'The server is about to stop. Send the message again in a moment.')

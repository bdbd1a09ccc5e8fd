// A turn, from the owner's message to `done`. `start` stores the message and the turn in one transaction and answers
// with a stream of events; the turn itself runs on, whoever reads. What is stored as it goes, and how a turn of a
// server that died is closed, is in turn-recorder.ts and close-turn.ts.

import { randomUUID } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import type { ToolRegistry } from '../ai/agent/registry.ts'
import type { ToolServices } from '../ai/agent/services.ts'
import type { CallModel } from '../ai/model.ts'
import type { Actor } from '../auth/actor.ts'
import type { Routed, TurnRouting } from '../contract/events.ts'
import { isUniqueViolation } from '../db/pg-errors.ts'
import type { Database, Queryable } from '../db/pool.ts'
import { type AgentRow, createAgentsRepo } from '../db/repos/agents.ts'
import { type ConversationRow, createConversationsRepo } from '../db/repos/conversations.ts'
import { createSpacesRepo, type SpaceRow } from '../db/repos/spaces.ts'
import { createTurnsRepo, type TurnRow } from '../db/repos/turns.ts'
import type { Kinds } from '../entities/kinds.ts'
import { AppError, conflict, notFound } from '../errors.ts'
import type { Logger } from '../logger.ts'
import { closeAbandonedTurns } from './close-turn.ts'
import { firstWords } from './first-words.ts'
import type { CurrentModel, ModelProvider } from './model-provider.ts'
import { replayTurn } from './replay-turn.ts'
import { createAddressing, hashBody, openRouted, recordRouting } from './router/address-turn.ts'
import type { Routing } from './router/route-turn.ts'
import { runCompanionTurn } from './run-turn.ts'
import { TurnStream } from './turn-stream.ts'

export type View = { entityType: string; entityId: string }

export type StartTurn = {
  space_id: string
  text: string
  view: View | null
  /** `null`: the router finds the one that the message belongs to. */
  conversation_id: string | null
  /** The conversation that is shown, for the router; `null`: the latest. */
  active_conversation_id?: string | null
  idempotency_key: string | null
  /** Replaces the configured model. */
  callModel?: CallModel | undefined
}

export type CompanionDeps = {
  database: Database
  kinds: Kinds
  registry: ToolRegistry
  services: ToolServices
  models: ModelProvider
  logger: Logger
  now: () => Date
}

export type Companion = {
  /** The agent that answers in the rail. */
  agent(): Promise<AgentRow>
  /** The conversation in use in a Space, made when there is none. */
  conversation(spaceId: string, actor: Actor): Promise<ConversationRow>
  /**
   * Stores the message and starts the turn. With an idempotency key that was used before: the turn of then.
   * Throws `AppError`: 404 for an unknown Space or conversation, 409 `turn_running` (with `details.turn_id`) while
   * another turn runs in the conversation, 422 for a used idempotency key with another message.
   */
  start(actor: Actor, request: StartTurn): Promise<TurnStream>
  /** The events of a turn from its first: as they come while it runs here, else made from what was stored. 404. */
  follow(turnId: string): Promise<TurnStream>
  /** Stops a running turn; its text so far is kept. One that has ended stays as it is. */
  stop(turnId: string): Promise<TurnRow>
  /** Closes turns that a server which died left running. */
  closeAbandoned(): Promise<void>
  /** Stops every turn and waits until each is stored. */
  shutDown(): Promise<void>
}

/** Seconds a turn stays its runner's without a sign of life. */
export const leaseSeconds = 30

type LiveTurn = { stream: TurnStream; controller: AbortController; finished: Promise<void> }

export function createCompanion(deps: CompanionDeps): Companion {
  const { database, models } = deps
  const live = new Map<string, LiveTurn>()
  const address = createAddressing(deps)
  const leaseOwner = randomUUID()

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
      const model = request.callModel ? overridden(request.callModel) : models.current()
      const row = await agent()
      const stored = await address(row, request, (routing) =>
        store(actor, row, { ...request, routing }, model),
      )
      if (!stored.created) return live.get(stored.turn.id)?.stream ?? (await replayTurn(deps, stored.turn))
      return launch(stored, row, request, model)
    },

    async follow(turnId) {
      const running = live.get(turnId)
      if (running) return running.stream
      const turn = await createTurnsRepo(database).find(turnId)
      if (!turn) throw notFound('turn', turnId)
      return await replayTurn(deps, turn)
    },

    async stop(turnId) {
      const running = live.get(turnId)
      running?.controller.abort()
      await running?.finished
      const turn = await createTurnsRepo(database).find(turnId)
      if (!turn) throw notFound('turn', turnId)
      if (turn.status === 'running') {
        throw conflict('not_here', `Turn ${turnId} runs on another server; stop it there.`)
      }
      return turn
    },

    async closeAbandoned() {
      await database.transaction((tx) => closeAbandonedTurns(tx, null))
    },

    async shutDown() {
      const turns = [...live.values()]
      for (const { controller } of turns) controller.abort()
      await Promise.all(turns.map(({ finished }) => finished))
    },
  }

  async function store(
    actor: Actor,
    row: AgentRow,
    request: RoutedTurn,
    model: CurrentModel,
  ): Promise<StoredTurn> {
    const { text, idempotency_key } = request
    const body_hash = hashBody(request)

    try {
      return await database.transaction(async (tx) => {
        const earlier = await findEarlier(tx, request, body_hash)
        if (earlier) return earlier
        const { space, conversation, routed } = await findConversation(tx, row, actor, request)
        const running = await findRunning(tx, conversation.id)
        // The same request may have stored the turn between the two looks.
        if (running) return (await findEarlier(tx, request, body_hash)) ?? refuse(running.id)

        const newTurn = {
          id: uuid(),
          space_id: request.space_id,
          conversation_id: conversation.id,
          agent_id: row.id,
          idempotency_key,
          body_hash,
          model: model.name,
          lease_owner: leaseOwner,
          lease_seconds: leaseSeconds,
        }
        const { view } = request
        const asked = { id: uuid(), body: text, metadata: view ? { view } : {}, title: firstWords(text) }
        const turn = await createTurnsRepo(tx).insertRunning(newTurn, asked)
        const routing = await recordRouting(tx, turn, request.routing)
        return { created: true, turn, space, userMessageId: asked.id, routed, routing }
      })
    } catch (error) {
      return await explainCollision(error, row, request, body_hash)
    }
  }

  // Two requests at once: the database let one through; the other finds out which it was.
  async function explainCollision(
    error: unknown,
    row: AgentRow,
    request: RoutedTurn,
    bodyHash: string,
  ): Promise<StoredTurn> {
    if (!isUniqueViolation(error, 'turns_idempotency') && !isUniqueViolation(error, 'turns_one_running'))
      throw error
    const earlier = await findEarlier(database, request, bodyHash)
    if (earlier) return earlier
    const named = request.conversation_id ?? request.routing?.conversation_id
    const conversation = named
      ? { id: named }
      : await createConversationsRepo(database).findLatest(request.space_id, row.id)
    const running = conversation && (await createTurnsRepo(database).findRunning(conversation.id))
    return refuse(running?.id ?? null)
  }

  function launch(
    { turn, space, userMessageId, routed, routing }: Extract<StoredTurn, { created: true }>,
    row: AgentRow,
    request: StartTurn,
    model: CurrentModel,
  ): TurnStream {
    const stream = new TurnStream(turn.id)
    const controller = new AbortController()
    stream.emit({
      type: 'turn',
      data: { turn_id: turn.id, conversation_id: turn.conversation_id, routed, ...(routing && { routing }) },
    })
    const finished = runCompanionTurn({
      ...deps,
      turn,
      space,
      stream,
      agent: row,
      model,
      leaseOwner,
      userMessageId,
      text: request.text,
      view: request.view,
      signal: controller.signal,
    }).finally(() => live.delete(turn.id))

    live.set(turn.id, { stream, controller, finished })
    return stream
  }
}

/** A message with where it was routed; `null` when it names its conversation or was said before. */
type RoutedTurn = StartTurn & { routing: Routing | null }

type StoredTurn =
  | {
      created: true
      turn: TurnRow
      space: SpaceRow
      userMessageId: string
      routed: Routed
      routing: TurnRouting | null
    }
  | { created: false; turn: TurnRow }

async function findEarlier(tx: Queryable, request: StartTurn, bodyHash: string): Promise<StoredTurn | null> {
  if (request.idempotency_key === null) return null
  const turn = await createTurnsRepo(tx).findByIdempotencyKey(request.space_id, request.idempotency_key)
  if (!turn) return null
  if (turn.body_hash === bodyHash) return { created: false, turn }
  throw new AppError('idempotency_key_reused', 422, 'This Idempotency-Key was used for another message.')
}

async function findConversation(
  tx: Queryable,
  row: AgentRow,
  actor: Actor,
  { space_id, conversation_id, routing }: RoutedTurn,
): Promise<{ space: SpaceRow; conversation: ConversationRow; routed: Routed }> {
  const conversations = createConversationsRepo(tx)
  const space = await createSpacesRepo(tx).find(space_id, null)
  if (!space) throw notFound('Space', space_id)

  if (conversation_id) {
    const conversation = await conversations.find(space_id, conversation_id)
    if (!conversation) throw notFound('conversation', conversation_id)
    return { space, conversation, routed: 'named' }
  }
  const conversation = await openRouted(tx, row, actor, { space_id, routing })
  return { space, ...conversation }
}

/** The turn that runs in a conversation, unless its server has died: then it is closed. */
async function findRunning(tx: Queryable, conversationId: string): Promise<TurnRow | null> {
  const turns = createTurnsRepo(tx)
  const running = await turns.findRunning(conversationId)
  if (!running) return null
  await closeAbandonedTurns(tx, conversationId)
  return await turns.findRunning(conversationId)
}

const overridden = (callModel: CallModel): CurrentModel => ({ mode: 'online', name: 'replaced', callModel })

function refuse(turnId: string | null): never {
  throw conflict(
    'turn_running',
    'The companion is still answering the last message. Wait for it, or stop it.',
    {
      turn_id: turnId,
    },
  )
}

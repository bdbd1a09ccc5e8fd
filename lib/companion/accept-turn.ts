// A message comes in: one transaction stores it with its turn, which then runs or waits. Nothing here calls a model.

import { v7 as uuid } from 'uuid'
import type { Actor } from '../auth/actor.ts'
import type { Routed, TurnRouting } from '../contract/events.ts'
import { isUniqueViolation } from '../db/pg-errors.ts'
import type { Database, Queryable } from '../db/pool.ts'
import type { AgentRow } from '../db/repos/agents.ts'
import { createConversationsRepo } from '../db/repos/conversations.ts'
import { createQueuedTurnsRepo } from '../db/repos/queued_turns.ts'
import type { SpaceRow } from '../db/repos/spaces.ts'
import {
  type Asked,
  createTurnsRepo,
  type LeaseTerms,
  type NewTurn,
  type TurnRow,
} from '../db/repos/turns.ts'
import { AppError, conflict } from '../errors.ts'
import type { StartTurn } from './companion.ts'
import { findConversation } from './find-conversation.ts'
import { firstWords } from './first-words.ts'
import { giveUpAbandoned } from './give-up.ts'
import { toRows } from './logged-events.ts'
import { describeRouting, hashBody, recordRouting } from './router/address-turn.ts'
import type { Routing } from './router/route-turn.ts'
import type { NumberedEvent } from './turn-stream.ts'

export type AcceptDeps = { database: Database; terms: LeaseTerms }

export type AcceptRequest = {
  actor: Actor
  agent: AgentRow
  modelName: string
  request: RoutedTurn
}

/** A message with where it was routed; `null` when it names its conversation or was said before. */
export type RoutedTurn = StartTurn & { routing: Routing | null }

export type AcceptedTurn =
  | {
      state: 'running'
      turn: TurnRow
      space: SpaceRow
      asked: Asked & { message_id: string }
      /** What its log begins with. */
      events: NumberedEvent[]
    }
  | { state: 'queued' | 'known'; turn: TurnRow }

/** Messages that may wait in one conversation. */
export const mostQueued = 5

/** Throws `AppError` as `Companion.start` does. */
export async function acceptTurn(deps: AcceptDeps, accept: AcceptRequest): Promise<AcceptedTurn> {
  const bodyHash = hashBody(accept.request)
  try {
    return await deps.database.transaction((tx) => store(tx, deps.terms, accept, bodyHash))
  } catch (error) {
    // Two requests at once: the database let one through; the other finds out which it was.
    const collided =
      isUniqueViolation(error, 'turns_idempotency') || isUniqueViolation(error, 'turns_one_running')
    if (!collided) throw error
    const earlier = await findEarlier(deps.database, accept.request, bodyHash)
    if (earlier) return earlier
    if (accept.request.queue) return await acceptTurn(deps, accept)
    return refuse(await findRunningId(deps.database, accept))
  }
}

async function store(
  tx: Queryable,
  terms: LeaseTerms,
  { actor, agent, modelName, request }: AcceptRequest,
  bodyHash: string,
): Promise<AcceptedTurn> {
  const earlier = await findEarlier(tx, request, bodyHash)
  if (earlier) return earlier
  const { space, conversation, routed } = await findConversation(tx, agent, actor, request)
  const open = await findOpen(tx, terms, conversation.id, request.queue)
  // The same request may have stored the turn between the two looks.
  const meanwhile = open && (await findEarlier(tx, request, bodyHash))
  if (meanwhile) return meanwhile
  if (open && !request.queue) refuse(open.id)

  const { text, view, desk } = request
  const turn: NewTurn = {
    id: uuid(),
    space_id: request.space_id,
    conversation_id: conversation.id,
    agent_id: agent.id,
    idempotency_key: request.idempotency_key,
    body_hash: bodyHash,
    model: modelName,
  }
  const routing = request.routing && describeRouting(request.routing)
  const begin = toBegin(turn, routed, routing)
  if (open) {
    const queued = await enqueue(tx, turn, { text, view, desk }, begin)
    await recordRouting(tx, turn, request.routing, routing)
    return queued
  }

  const message = {
    id: uuid(),
    body: text,
    metadata: { ...(view && { view }), ...(desk && { desk }) },
    title: firstWords(text),
  }
  const row = await createTurnsRepo(tx).insertRunning(turn, terms, message, toRows([begin])[0]!)
  await recordRouting(tx, turn, request.routing, routing)
  return {
    state: 'running',
    turn: row,
    space,
    asked: { text, view, desk, message_id: message.id },
    events: [begin],
  }
}

async function enqueue(
  tx: Queryable,
  turn: NewTurn,
  asked: Asked,
  begin: NumberedEvent,
): Promise<AcceptedTurn> {
  const queue = createQueuedTurnsRepo(tx)
  await queue.lockConversation(turn.conversation_id)
  const waiting = await queue.list(turn.conversation_id)
  if (waiting.length >= mostQueued) {
    throw conflict('queue_full', `${mostQueued} messages are waiting already. Withdraw one, or wait.`, {
      turn_ids: waiting.map(({ id }) => id),
    })
  }
  const message = 'Waiting for the answer before this one.'
  const events: NumberedEvent[] = [begin, { type: 'status', seq: 2, data: { message } }]
  return { state: 'queued', turn: await queue.insert(turn, asked, toRows(events)) }
}

const toBegin = (
  { id, conversation_id }: NewTurn,
  routed: Routed,
  routing: TurnRouting | null,
): NumberedEvent => ({
  type: 'turn',
  seq: 1,
  data: { turn_id: id, conversation_id, routed, ...(routing && { routing }) },
})

async function findEarlier(
  tx: Queryable,
  request: StartTurn,
  bodyHash: string,
): Promise<AcceptedTurn | null> {
  if (request.idempotency_key === null) return null
  const turn = await createTurnsRepo(tx).findByIdempotencyKey(request.space_id, request.idempotency_key)
  if (!turn) return null
  if (turn.body_hash === bodyHash) return { state: 'known', turn }
  throw new AppError('idempotency_key_reused', 422, 'This Idempotency-Key was used for another message.')
}

/** The turn that a new one would have to wait for. One whose server has died does not keep the owner from speaking. */
async function findOpen(
  tx: Queryable,
  terms: LeaseTerms,
  conversationId: string,
  mayWait: boolean,
): Promise<TurnRow | null> {
  const turns = createTurnsRepo(tx)
  const open = await turns.findOpen(conversationId)
  if (!open || mayWait) return open
  if (open.status === 'queued') return open
  const gone = await giveUpAbandoned(tx, terms, conversationId)
  return gone ? null : open
}

async function findRunningId(database: Database, { request, agent }: AcceptRequest): Promise<string | null> {
  const { conversation_id, space_id, routing } = request
  const named = conversation_id ?? routing?.conversation_id
  const conversation = named
    ? { id: named }
    : await createConversationsRepo(database).findLatest(space_id, agent.id)
  const running = conversation && (await createTurnsRepo(database).findRunning(conversation.id))
  return running?.id ?? null
}

function refuse(turnId: string | null): never {
  throw conflict(
    'turn_running',
    'The companion is still answering the last message. Wait for it, or stop it.',
    { turn_id: turnId },
  )
}

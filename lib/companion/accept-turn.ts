// A message comes in: one transaction stores it with its turn, which then runs or waits. Nothing here calls a model.

import { v7 as uuid } from 'uuid'
import type { Actor } from '../auth/actor.ts'
import type { Routed, TurnRouting } from '../contract/events.ts'
import { isUniqueViolation } from '../db/pg-errors.ts'
import type { Database, Queryable } from '../db/pool.ts'
import type { AgentRow } from '../db/repos/agents.ts'
import { createQueuedTurnsRepo } from '../db/repos/queued_turns.ts'
import type { SpaceRow } from '../db/repos/spaces.ts'
import {
  type Asked,
  createTurnsRepo,
  type LeaseTerms,
  type NewTurn,
  type TurnRow,
} from '../db/repos/turns.ts'
import { conflict } from '../errors.ts'
import { findConversation } from './find-conversation.ts'
import { firstWords } from './first-words.ts'
import { toRows } from './logged-events.ts'
import { describeRouting, hashBody, recordRouting } from './router/address-turn.ts'
import type { RoutedTurn } from './turn-request.ts'
import type { NumberedEvent } from './turn-stream.ts'
import { findEarlier, findOpen, findRunningId, refuseBehind } from './turns-before.ts'

type AcceptDeps = { database: Database; terms: LeaseTerms }

type AcceptRequest = {
  actor: Actor
  agent: AgentRow
  modelName: string
  request: RoutedTurn
}

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
const mostQueued = 5

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
    if (earlier) return { state: 'known', turn: earlier }
    if (accept.request.queue) return await acceptTurn(deps, accept)
    return refuseBehind(await findRunningId(deps.database, accept))
  }
}

async function store(
  tx: Queryable,
  terms: LeaseTerms,
  { actor, agent, modelName, request }: AcceptRequest,
  bodyHash: string,
): Promise<AcceptedTurn> {
  const earlier = await findEarlier(tx, request, bodyHash)
  if (earlier) return { state: 'known', turn: earlier }
  const { space, conversation, routed } = await findConversation(tx, agent, actor, request)
  const open = await findOpen(tx, terms, conversation.id, request.queue)
  // The same request may have stored the turn between the two looks.
  const meanwhile = open && (await findEarlier(tx, request, bodyHash))
  if (meanwhile) return { state: 'known', turn: meanwhile }
  if (open && !request.queue) refuseBehind(open.id)

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

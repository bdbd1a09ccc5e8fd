// Where routing meets the turn: a message that names no conversation is routed before its transaction begins, and what
// was decided is stored within it. A message that was sent before, by its idempotency key, is not routed again.

import { v7 as uuid } from 'uuid'
import type { Actor } from '../../actor.ts'
import { canonicalJson, sha256 } from '../../changes/payload.ts'
import type { Routed, TurnRouting } from '../../contract/events/events.ts'
import type { Queryable } from '../../db/pool.ts'
import type { Place } from '../../db/repos/accepted_turns.ts'
import { findAddressed as findWithThreads, type ThreadRow } from '../../db/repos/addressed.ts'
import { type Addressee, type AgentRow, createAgentsRepo } from '../../db/repos/agents.ts'
import {
  type ConversationRow,
  createConversationsRepo,
  firstConversationId,
} from '../../db/repos/conversations.ts'
import type { NewRoutingDecision } from '../../db/repos/routing_decisions.ts'
import { createTurnsRepo, type TurnRow } from '../../db/repos/turns.ts'
import { notFound } from '../../errors.ts'
import { cleanText } from '../../text/clean.ts'
import { createTurnRouter, maxThreads, type RouterDeps, type Routing } from './route-turn.ts'
import type { RoutedTurn, StartTurn } from './turn-request.ts'

/** The companion that answers. Throws a 404 `AppError` for a named one that does not answer in the Space. */
export async function findCompanion(db: Queryable, addressee: Addressee): Promise<AgentRow> {
  return checkAddressed(addressee, await createAgentsRepo(db).findAddressed(addressee))
}

/** As `findCompanion`, with the conversations that a message which names none may belong to. */
export async function findAddressed(
  db: Queryable,
  { space_id, agent_id = null, conversation_id, active_conversation_id: active }: StartTurn,
): Promise<{ agent: AgentRow; threads: ThreadRow[] }> {
  const addressee = { space_id, agent_id, conversation_id: conversation_id ?? active ?? null }
  const limit = conversation_id ? 0 : maxThreads
  const found = await findWithThreads(db, addressee, { activeId: active ?? null, limit })
  return { agent: checkAddressed(addressee, found?.agent), threads: found?.threads ?? [] }
}

function checkAddressed({ agent_id }: Addressee, row: AgentRow | null | undefined): AgentRow {
  if (!row) throw new Error('companion agent not found in the database')
  if (agent_id && row.id !== agent_id) throw notFound('companion', agent_id)
  return row
}

/** What distinguishes two messages under the same idempotency key. */
export function hashBody(turn: StartTurn): string {
  const {
    text,
    view,
    desk,
    conversation_id,
    active_conversation_id,
    agent_id,
    research,
    replaces,
    mentions,
    attachments,
  } = turn
  const shown = {
    ...(active_conversation_id ? { active_conversation_id } : {}),
    ...(agent_id ? { agent_id } : {}),
    ...(research ? { research } : {}),
    ...(replaces ? { replaces } : {}),
    ...(mentions?.length ? { mentions: mentions.map(({ id }) => id) } : {}),
    ...(attachments?.length ? { attachments: attachments.map(({ id }) => id) } : {}),
  }
  return sha256(canonicalJson({ text, view, conversation_id, ...shown, ...(desk && { desk }) }))
}

/**
 * Finds where a message goes and has it stored: `store` is given the routing, or `null` for a message that names its
 * conversation or whose key was used before. The same message sent again meanwhile is stored with that very routing.
 */
export function createAddressing(deps: RouterDeps) {
  const route = createTurnRouter(deps)
  const inFlight = new Map<string, { routing: Promise<Routing | null>; users: number }>()

  async function find(request: StartTurn, threads: readonly ThreadRow[]): Promise<Routing | null> {
    const { space_id, idempotency_key, text, view, desk, attachments } = request
    const turns = createTurnsRepo(deps.database)
    if (idempotency_key !== null && (await turns.findByIdempotencyKey(space_id, idempotency_key))) return null
    return await route({
      space_id,
      text,
      threads,
      view,
      desk,
      attachments: attachments ?? [],
      rulesOnly: request.callModel !== undefined,
    })
  }

  return async <Stored>(
    request: StartTurn,
    threads: readonly ThreadRow[],
    store: (routing: Routing | null) => Promise<Stored>,
  ): Promise<Stored> => {
    if (request.conversation_id) return await store(null)
    if (request.idempotency_key === null) return await store(await find(request, threads))

    const same = JSON.stringify([request.space_id, request.idempotency_key, hashBody(request)])
    const shared = inFlight.get(same) ?? { routing: find(request, threads), users: 0 }
    inFlight.set(same, shared)
    shared.users += 1
    try {
      return await store(await shared.routing)
    } finally {
      shared.users -= 1
      if (shared.users === 0) inFlight.delete(same)
    }
  }
}

/** The conversation of a message, as far as it is known without a look. */
export function placeOf(
  { space_id, conversation_id, routing }: RoutedTurn,
  agent: AgentRow,
  by: Actor,
): { id: string; routed: Routed; place: Place } | null {
  if (conversation_id) return { id: conversation_id, routed: 'named', place: { kind: 'free' } }
  if (!routing) return null
  if (routing.conversation_id) {
    return { id: routing.conversation_id, routed: routedTo(routing), place: { kind: 'free' } }
  }
  return routing.active_id === null
    ? { id: firstConversationId(space_id, agent.id), routed: 'new', place: { kind: 'first', by } }
    : { id: uuid(), routed: 'new', place: { kind: 'new', by } }
}

/**
 * The conversation that a message was routed to, made when that is a new one. One that has gone since, archived or
 * deleted, is replaced by the one in use.
 */
export async function openRouted(
  tx: Queryable,
  agent: AgentRow,
  actor: Actor,
  { space_id, routing }: { space_id: string; routing: Routing | null },
): Promise<{ conversation: ConversationRow; routed: Routed }> {
  const conversations = createConversationsRepo(tx)
  if (routing?.conversation_id) {
    const found = await conversations.find(space_id, routing.conversation_id)
    if (found) return { conversation: found, routed: routedTo(routing) }
  }
  if (routing?.choice === 'new' && routing.active_id !== null) {
    return { conversation: await conversations.insert(space_id, agent.id, actor), routed: 'new' }
  }
  const latest = await conversations.findLatest(space_id, agent.id)
  if (latest) return { conversation: latest, routed: 'latest' }
  // Of two messages at once in a Space without any, the second joins the conversation of the first.
  const conversation = await conversations.findOrCreateForSpace(space_id, agent.id, actor)
  return { conversation, routed: 'new' }
}

/** The decision as it is sent to the reader of the turn. */
export const describeRouting = ({ decided_by, title, active_id }: Routing): TurnRouting => ({
  decision_id: uuid(),
  by: decided_by,
  title,
  from: active_id,
})

/** What was decided for a turn, as it is stored. */
export function toDecision(
  turn: Pick<TurnRow, 'id' | 'space_id' | 'conversation_id'>,
  routing: Routing | null,
  described: TurnRouting | null,
): NewRoutingDecision | null {
  if (!routing || !described) return null
  const { title: _, call_id: __, ...decision } = routing
  const answer = decision.answer && cleanText(decision.answer)
  const { space_id, id: turn_id, conversation_id } = turn
  const reason = cleanText(decision.reason)
  return { ...decision, reason, answer, id: described.decision_id, space_id, turn_id, conversation_id }
}

/** The id of the router’s own call; `null` where it made none. */
export const routerCallOf = (routing: Routing | null): string | null =>
  routing && routing.decided_by !== 'obvious' ? routing.call_id : null

/** What the reader of the turn is told of a message that went to a conversation that was there. */
const routedTo = (routing: Pick<Routing, 'choice'> | null): Routed =>
  routing?.choice === 'resume' ? 'resumed' : 'latest'

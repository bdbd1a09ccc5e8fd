// A message comes in and is stored with its turn, which then runs or waits. Nothing here calls a model.

import { v7 as uuid } from 'uuid'
import type { Actor } from '../../actor.ts'
import type { CurrentModel, ModelProvider } from '../../ai/models/model-provider.ts'
import { firstCompanion } from '../../contract/companion-facts.ts'
import type { Routed, TurnRouting } from '../../contract/events/events.ts'
import type { ResearchAsk } from '../../contract/research.ts'
import { isUniqueViolation } from '../../db/pg-errors.ts'
import type { Database, Queryable } from '../../db/pool.ts'
import { createAcceptedTurnsRepo, type Place } from '../../db/repos/accepted_turns.ts'
import type { AgentRow } from '../../db/repos/agents.ts'
import { type ConversationRow, createConversationsRepo } from '../../db/repos/conversations.ts'
import { createQueuedTurnsRepo } from '../../db/repos/queued_turns.ts'
import { createResearchRunsRepo } from '../../db/repos/research_runs.ts'
import { createRoutingDecisionsRepo } from '../../db/repos/routing_decisions.ts'
import { createSpacesRepo, type NamedSpace } from '../../db/repos/spaces.ts'
import type { Asked, LeaseTerms, NewTurn, TurnRow } from '../../db/repos/turns.ts'
import { createUsageRepo } from '../../db/repos/usage.ts'
import { AppError, conflict, notFound } from '../../errors.ts'
import { firstWords } from '../../text/first-words.ts'
import {
  describeRouting,
  hashBody,
  openRouted,
  placeOf,
  routerCallOf,
  toDecision,
} from '../router/address-turn.ts'
import type { Routing } from '../router/route-turn.ts'
import type { RoutedTurn } from '../router/turn-request.ts'
import { toRows } from '../stream/logged-events.ts'
import type { NumberedEvent } from '../stream/turn-stream.ts'
import {
  findEarlier,
  findOpen,
  findReplaced,
  findRunningId,
  refuseBehind,
  replaceTurn,
} from './earlier-turns.ts'
import { modelNameFor } from './running-turn.ts'
import type { TurnSlots } from './turn-slots.ts'

type AcceptDeps = { database: Database; terms: LeaseTerms; slots: Pick<TurnSlots, 'isFull' | 'setWaiting'> }

type AcceptRequest = {
  actor: Actor
  agent: AgentRow
  /** The model of that name, or the configured one. */
  findModel: ModelProvider['current']
  request: RoutedTurn
}

export type AcceptedTurn =
  | {
      state: 'running'
      turn: TurnRow
      space: NamedSpace
      asked: Asked & { message_id: string }
      model: CurrentModel
      /** What its log begins with. */
      events: NumberedEvent[]
    }
  | { state: 'queued' | 'known'; turn: TurnRow }

/** Messages that may wait in one conversation, and in all. */
const maxQueuedTurns = 5
const maxWaitingTurns = 1000

/** Throws `AppError` as `Companion.start` does. */
export async function acceptTurn(deps: AcceptDeps, accept: AcceptRequest): Promise<AcceptedTurn> {
  const bodyHash = hashBody(accept.request)
  try {
    return (
      (await storeInFreePlace(deps, accept, bodyHash)) ??
      (await deps.database.transaction((tx) => store(tx, deps, accept, bodyHash)))
    )
  } catch (error) {
    // Two requests at once: the database let one through; the other finds out which it was.
    const isOpened = isUniqueViolation(error, 'conversations_pkey')
    const collided =
      isOpened ||
      isUniqueViolation(error, 'turns_idempotency') ||
      isUniqueViolation(error, 'turns_one_running')
    if (!collided) throw error
    const earlier = await findEarlier(deps.database, accept.request, bodyHash)
    if (earlier) return { state: 'known', turn: earlier }
    if (isOpened || accept.request.queue) return await acceptTurn(deps, accept)
    return refuseBehind(await findRunningId(deps.database, accept))
  }
}

/**
 * The plain case, in one statement: nothing runs or waits in the conversation, or it is a new one. `null` in any other.
 * What comes in between collides with one of the unique indexes.
 */
async function storeInFreePlace(
  { database, terms, slots }: AcceptDeps,
  { actor, agent, findModel, request }: AcceptRequest,
  bodyHash: string,
): Promise<AcceptedTurn | null> {
  if (slots.isFull() || request.replaces) return null
  const going = placeOf(request, agent, actor)
  if (!going) return null
  const model = findModel(agent.model)
  const turn = toTurn({ request, agent, model }, going.id, bodyHash)
  return await storeRunning(database, terms, { agent, turn, request, model, ...going })
}

/** A message to a conversation in which a research run waits is for that run. Throws a 409 `AppError` for another run. */
function researchOf({ research = null }: RoutedTurn, waiting: string | null): ResearchAsk | null {
  if (waiting === null) return research
  if (research === null) return { run_id: waiting, go_on: false, plan: null, budget: null }
  if ('run_id' in research) return research
  throw conflict(
    'research_waiting',
    'A research run in this thread waits for you. Go on with it, or cancel it.',
    {
      run_id: waiting,
    },
  )
}

async function store(
  tx: Queryable,
  { terms, slots }: AcceptDeps,
  { actor, agent, findModel, request }: AcceptRequest,
  bodyHash: string,
): Promise<AcceptedTurn> {
  const earlier = await findEarlier(tx, request, bodyHash)
  if (earlier) return { state: 'known', turn: earlier }
  const { conversation, routed } = await findConversation(tx, agent, actor, request)
  const open = await findOpen(tx, terms, conversation.id, request.queue)
  // The same request may have stored the turn between the two looks.
  const meanwhile = open && (await findEarlier(tx, request, bodyHash))
  if (meanwhile) return { state: 'known', turn: meanwhile }
  if (open && (!request.queue || request.replaces)) refuseBehind(open.id)

  const held = open ? null : await createResearchRunsRepo(tx).findPaused(conversation.id)
  const model = findModel(modelNameFor(agent, conversation))
  const turn = toTurn({ request, agent, model }, conversation.id, bodyHash)
  const research = researchOf(request, held?.id ?? null)
  const accepted = { agent, turn, request: { ...request, research }, routed, model }
  if (request.replaces) {
    if (slots.isFull()) throw tooBusy()
    return await storeInPlace(tx, terms, accepted)
  }
  if (open) return await enqueue(tx, accepted, 'Waiting for the previous answer.')
  if (!slots.isFull()) return await storeSurely(tx, terms, accepted)
  const waiting = await createQueuedTurnsRepo(tx).count()
  if (waiting >= maxWaitingTurns) throw tooBusy()
  slots.setWaiting(true)
  return await enqueue(tx, accepted, 'Waiting for other answers to finish.')
}

const toTurn = (
  { request, agent, model }: Pick<AcceptRequest, 'request' | 'agent'> & { model: CurrentModel },
  conversation_id: string,
  body_hash: string,
): NewTurn => ({
  id: uuid(),
  space_id: request.space_id,
  conversation_id,
  agent_id: agent.id,
  idempotency_key: request.idempotency_key,
  body_hash,
  model: model.name,
})

type Accepted = {
  agent: AgentRow
  turn: NewTurn
  request: RoutedTurn
  routed: Routed
  model: CurrentModel
}

/** In a transaction that has seen the place. */
async function storeSurely(tx: Queryable, terms: LeaseTerms, accepted: Accepted): Promise<AcceptedTurn> {
  const stored = await storeRunning(tx, terms, { ...accepted, place: { kind: 'any' } })
  if (!stored) throw notFound('conversation', accepted.turn.conversation_id)
  return stored
}

/** `null`, and nothing is stored: the place is not as it must be (see `insertRunning`). */
async function storeRunning(
  db: Queryable,
  terms: LeaseTerms,
  { agent, turn, request, routed, model, place }: Accepted & { place: Place },
): Promise<AcceptedTurn | null> {
  const { text, view, desk, mentions, attachments, routing, research = null } = request
  const message = {
    id: uuid(),
    body: text,
    metadata: {
      ...{ ...(view && { view }), ...(desk && { desk }), ...(research && { research }) },
      ...{ ...(mentions?.length && { mentions }), ...(attachments?.length && { attachments }) },
    },
    title: firstWords(text),
  }
  const { begin, decision } = beginTurn({ agent, turn, routed }, routing)
  const begun = { event: toRows([begin])[0]!, routing: decision, routerCall: routerCallOf(routing), place }
  const stored = await createAcceptedTurnsRepo(db).insertRunning(turn, terms, message, begun)
  const asked = { text, view, desk, mentions, attachments, research, message_id: message.id }
  return stored && { state: 'running', ...stored, asked, model, events: [begin] }
}

/** A message edited or asked again is about what was in view when it was sent first. */
async function storeInPlace(tx: Queryable, terms: LeaseTerms, accepted: Accepted): Promise<AcceptedTurn> {
  const { turn, request } = accepted
  const old = await findReplaced(tx, request, turn.conversation_id)
  const { view, desk } = old
  const mentions = request.mentions ?? old.mentions
  const attachments = request.attachments ?? old.attachments
  const sent = { ...request, view, desk, mentions, attachments }
  const stored = await storeSurely(tx, terms, { ...accepted, request: sent })
  await replaceTurn(tx, old, turn.id)
  return stored
}

async function enqueue(
  tx: Queryable,
  { agent, turn, request, routed }: Accepted,
  message: string,
): Promise<AcceptedTurn> {
  const { text, view, desk, mentions, attachments, routing, research = null } = request
  const queue = createQueuedTurnsRepo(tx)
  await queue.lockConversation(turn.conversation_id)
  const waiting = await queue.list(turn.conversation_id)
  if (waiting.length >= maxQueuedTurns) {
    throw conflict('queue_full', `${maxQueuedTurns} messages are already queued. Withdraw one, or wait.`, {
      turn_ids: waiting.map(({ id }) => id),
    })
  }
  const { begin, decision } = beginTurn({ agent, turn, routed }, routing)
  const events: NumberedEvent[] = [begin, { type: 'status', seq: 2, data: { message } }]
  const asked = { text, view, desk, mentions, attachments, research }
  const row = await queue.insert(turn, asked, toRows(events))
  if (decision) await createRoutingDecisionsRepo(tx).insert(decision)
  const call = routerCallOf(routing)
  if (call) await createUsageRepo(tx).linkSideCall(call, turn)
  return { state: 'queued', turn: row }
}

const tooBusy = () =>
  new AppError('too_busy', 503, 'Too many messages are waiting for an answer. Try again in a few seconds.', {
    details: { retry_after_seconds: 5 },
  })

/** The first event of a turn, and what is stored of how it was routed. */
function beginTurn(begun: Pick<Accepted, 'agent' | 'turn' | 'routed'>, routing: Routing | null) {
  const described = routing && describeRouting(routing)
  return { begin: toTurnEvent(begun, described), decision: toDecision(begun.turn, routing, described) }
}

const toTurnEvent = (
  { agent, turn, routed }: Pick<Accepted, 'agent' | 'turn' | 'routed'>,
  routing: TurnRouting | null,
): NumberedEvent => {
  const { id: turn_id, conversation_id, agent_id } = turn
  const answering = agent.slug === firstCompanion ? {} : { agent_id }
  return {
    type: 'turn',
    seq: 1,
    data: { turn_id, conversation_id, ...answering, routed, ...(routing && { routing }) },
  }
}

/** Where a message goes. In the caller's transaction. Throws a 404 `AppError` for an unknown Space or conversation. */
async function findConversation(
  tx: Queryable,
  row: AgentRow,
  actor: Actor,
  { space_id, conversation_id, routing }: RoutedTurn,
): Promise<{ conversation: ConversationRow; routed: Routed }> {
  if (!(await createSpacesRepo(tx).findNamed(space_id))) throw notFound('Space', space_id)

  if (conversation_id) {
    const conversation = await createConversationsRepo(tx).find(space_id, conversation_id)
    if (!conversation) throw notFound('conversation', conversation_id)
    return { conversation, routed: 'named' }
  }
  return await openRouted(tx, row, actor, { space_id, routing })
}

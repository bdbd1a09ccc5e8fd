// A message is accepted: who answers it, and in which conversation, is found; what runs or waits there is met; and it is
// stored with its turn, which then runs or waits. The last two are one transaction, whose statements go out together where
// they can: an embedded database serves nobody else meanwhile. Only a router may ask a model, before that.

import { v7 as uuid } from 'uuid'
import type { CallModel } from '../../ai/model.ts'
import type { CurrentModel, ModelProvider } from '../../ai/models/model-provider.ts'
import { canonicalJson, sha256 } from '../../changes/payload.ts'
import type { UserMessage } from '../../contract/companion/companion.ts'
import type { Routed } from '../../contract/events/events.ts'
import { firstCompanion } from '../../contract/limits.ts'
import type { Actor } from '../../core/actor.ts'
import { AppError, conflict, notFound } from '../../core/errors.ts'
import { isUniqueViolation } from '../../db/pg-errors.ts'
import type { Queryable } from '../../db/pool.ts'
import { type Addressee, type AgentRow, createAgentsRepo } from '../../db/repos/agents.ts'
import { createConversationAttachmentsRepo } from '../../db/repos/conversation_attachments.ts'
import type { ConversationRow } from '../../db/repos/conversations.ts'
import { createResearchRunsRepo } from '../../db/repos/research_runs.ts'
import { createSpacesRepo, type NamedSpace } from '../../db/repos/spaces.ts'
import { createTurnsRepo, type LeaseTerms, type NewTurn, type TurnRow } from '../../db/repos/turns.ts'
import type { ScreenImage } from '../prompt/read-image.ts'
import {
  createTurnRouter,
  openConversation,
  placeWords,
  type RouterDeps,
  type Routing,
  storeRouting,
  toTurnRouting,
} from '../router/route-turn.ts'
import { type NumberedEvent, toRows } from '../stream/turn-stream.ts'
import { modelNameFor, type RunningTurn } from './running-turn.ts'
import { failExpiredTurn } from './turn-outcome.ts'
import { answerToRun, storeMessage, withoutEmpty } from './turn-queue.ts'
import type { TurnSlots } from './turn-runners.ts'
import { findReplaced, inPlaceOf, refuseBehind, replaceTurn } from './versions.ts'

export type TurnRequest = {
  space_id: string
  message: UserMessage
  /** Default: the one that the message belongs to, which the router finds. */
  conversation_id?: string | null | undefined
  /** The companion that is asked. Default: that of the conversation. */
  agent_id?: string | null | undefined
  /** The conversation that is shown, for the router. Default: the latest. */
  active_conversation_id?: string | null | undefined
  idempotency_key: string | null
  /** The turn whose place it takes in the conversation that is named: its question is edited, or asked again. */
  replaces?: string | null | undefined
  /** Waits while another turn runs in the conversation, instead of being refused. */
  queue: boolean
  /** The bytes of the message's screenshot. */
  screenshot?: ScreenImage | undefined
  /** Replaces the configured model. */
  callModel?: CallModel | undefined
}

export type AcceptedTurn =
  | (Pick<RunningTurn, 'turn' | 'space' | 'agent' | 'message' | 'model'> & {
      state: 'running'
      /** What its log begins with. */
      events: NumberedEvent[]
    })
  | { state: 'queued' | 'known'; turn: TurnRow }

type AcceptDeps = RouterDeps & { terms: LeaseTerms; slots: Pick<TurnSlots, 'isFull' | 'setWaiting'> }

type AcceptRequest = {
  actor: Actor
  request: TurnRequest
  /** The model of that name, or the configured one. */
  findModel: ModelProvider['current']
}

/** A message with who answers it, and where it was routed; `null` when it names its conversation. */
type Addressed = AcceptRequest & {
  agent: AgentRow
  routing: Routing | null
  /** The request as it was sent: its conversation may be in another Space. */
  sent: TurnRequest
  bodyHash: string
}

/** Messages that may wait in one conversation, and in all. */
const maxQueuedTurns = 5
const maxWaitingTurns = 1000

/** Accepts messages; throws `AppError` as `Companion.start` does. */
export function createAcceptTurn(deps: AcceptDeps) {
  const { database } = deps
  const route = createTurnRouter(deps)

  return async (accept: AcceptRequest): Promise<AcceptedTurn> => {
    const { request } = accept
    const bodyHash = hashRequest(request)
    const earlier = await findEarlier(database, request, bodyHash)
    if (earlier) return { state: 'known', turn: earlier }
    const agent = await findCompanion(database, toAddressee(request))
    const routing = request.conversation_id ? null : await route(toRoute(request, agent))
    try {
      const placed = routing?.space ? elsewhere(request, routing.space.id) : request
      const addressed = { ...accept, request: placed, agent, routing, sent: request, bodyHash }
      return await database.transaction((tx) => store(tx, deps, addressed))
    } catch (error) {
      // The same message at once: the database let one through.
      if (!sameKey.some((index) => isUniqueViolation(error, index))) throw error
      const same = await findEarlier(database, request, bodyHash)
      if (!same) throw error
      return { state: 'known', turn: same }
    }
  }
}

const sameKey = ['turns_idempotency', 'forwarded_turns_idempotency']

/** A message in another Space than it was sent in, without what is in view there. */
const elsewhere = (request: TurnRequest, space_id: string): TurnRequest => ({
  ...request,
  space_id,
  message: { ...request.message, view: undefined, desk: undefined },
})

/** The companion that answers. Throws a 404 `AppError` for a named one that does not answer in the Space. */
export async function findCompanion(db: Queryable, addressee: Addressee): Promise<AgentRow> {
  const row = await createAgentsRepo(db).findAddressed(addressee)
  if (!row) throw new Error('companion agent not found in the database')
  if (addressee.agent_id && row.id !== addressee.agent_id) throw notFound('companion', addressee.agent_id)
  return row
}

const toAddressee = ({ space_id, agent_id, conversation_id, active_conversation_id }: TurnRequest) => ({
  space_id,
  agent_id: agent_id ?? null,
  conversation_id: conversation_id ?? active_conversation_id ?? null,
})

const toRoute = (
  { space_id, message, screenshot, active_conversation_id, callModel }: TurnRequest,
  agent: AgentRow,
) => ({
  space_id,
  agent_id: agent.id,
  elsewhere: isOfSpace(message) ? [] : agent.slug === firstCompanion ? null : agent.scopes.spaces,
  active_id: active_conversation_id ?? null,
  message,
  screenshot,
  rulesOnly: callModel !== undefined,
})

/** Whether it came with something of its Space, which a conversation of another one cannot have. */
const isOfSpace = ({ mentions, attachments, glance, research, command }: UserMessage) =>
  Boolean(mentions?.length || attachments?.length || glance || research || command)

/** What distinguishes two messages under one idempotency key. Files and pages count by id, a screenshot by its bytes. */
function hashRequest(request: TurnRequest): string {
  const { space_id, idempotency_key, queue, callModel, message, screenshot: image, ...rest } = request
  const mentions = message.mentions?.map(({ id }) => id)
  const attachments = message.attachments?.map(({ id }) => id)
  const screenshot = image && sha256(image.bytes.toString('base64'))
  const given = withoutEmpty({ ...rest, ...message, mentions, attachments, screenshot })
  return sha256(canonicalJson({ view: null, conversation_id: null, ...given }))
}

/** The turn of the same message with the same key. Throws a 422 `AppError` for another message under that key. */
async function findEarlier(
  db: Queryable,
  { space_id, idempotency_key }: TurnRequest,
  bodyHash: string,
): Promise<TurnRow | null> {
  if (idempotency_key === null) return null
  const turn = await createTurnsRepo(db).findByIdempotencyKey(space_id, idempotency_key)
  if (!turn || turn.body_hash === bodyHash) return turn
  throw new AppError('idempotency_key_reused', 422, 'This Idempotency-Key was used for another message.')
}

async function store(tx: Queryable, deps: AcceptDeps, addressed: Addressed): Promise<AcceptedTurn> {
  const { terms, slots } = deps
  const { agent, request, bodyHash } = addressed
  const space = await createSpacesRepo(tx).findNamed(request.space_id)
  if (!space) throw notFound('Space', request.space_id)
  const { conversation, routed } = await openConversation(tx, addressed)
  const [open, held] = await Promise.all([
    findOpen(tx, terms, conversation.id, request.queue),
    createResearchRunsRepo(tx).findPaused(conversation.id),
  ])
  // The same request may have stored the turn since the first look.
  const meanwhile = open && (await findEarlier(tx, addressed.sent, bodyHash))
  if (meanwhile) return { state: 'known', turn: meanwhile }
  if (open && (!request.queue || request.replaces)) refuseBehind(open.id)

  const model = addressed.findModel(modelNameFor(agent, conversation))
  const message = held && !open ? forHeldRun(request.message, held.id) : request.message
  const turn = toTurn(addressed, conversation, model)
  const accepted = { ...addressed, turn, space, routed, model, message }
  if (request.replaces) {
    if (slots.isFull()) throw tooBusy()
    const old = await findReplaced(tx, request.replaces, conversation.id, message)
    const stored = await storeRunning(tx, terms, { ...accepted, message: inPlaceOf(old, message) })
    await replaceTurn(tx, old, stored.turn.id)
    return stored
  }
  if (open) return await enqueue(tx, accepted, 'Waiting for the previous answer.')
  if (!slots.isFull()) return await storeRunning(tx, terms, accepted)
  if ((await createTurnsRepo(tx).countQueued()) >= maxWaitingTurns) throw tooBusy()
  slots.setWaiting(true)
  return await enqueue(tx, accepted, 'Waiting for other answers to finish.')
}

/** The turn that a new one would have to wait for. One whose server has died does not keep the owner from speaking. */
async function findOpen(tx: Queryable, terms: LeaseTerms, conversationId: string, mayWait: boolean) {
  const open = await createTurnsRepo(tx).findOpen(conversationId)
  if (!open || mayWait || open.status === 'queued') return open
  return (await failExpiredTurn(tx, terms, conversationId)) ? null : open
}

/** A message to a conversation in which a research run waits is for that run. Throws a 409 `AppError` for another run. */
function forHeldRun(message: UserMessage, run_id: string): UserMessage {
  if (!message.research || 'run_id' in message.research) return answerToRun(message, run_id)
  throw conflict(
    'research_waiting',
    'A research run in this thread is waiting for you. Continue or cancel it.',
    { run_id },
  )
}

type Accepted = Pick<Addressed, 'agent' | 'routing' | 'request' | 'sent'> & {
  turn: NewTurn
  space: NamedSpace
  routed: Routed
  model: CurrentModel
  message: UserMessage
}

const toTurn = (
  { request, sent, agent, bodyHash }: Addressed,
  { id }: ConversationRow,
  model: CurrentModel,
): NewTurn => ({
  id: uuid(),
  space_id: request.space_id,
  conversation_id: id,
  agent_id: agent.id,
  idempotency_key: request.space_id === sent.space_id ? request.idempotency_key : null,
  body_hash: bodyHash,
  model: model.name,
})

async function storeRunning(tx: Queryable, lease: LeaseTerms, accepted: Accepted) {
  const { space, agent, model } = accepted
  const events = firstEvents(accepted, '')
  const [turn, message] = await Promise.all([
    createTurnsRepo(tx).insert(accepted.turn, { lease }, toRows(events)),
    storeMessage(tx, accepted.turn, accepted.message),
    storeRouting(tx, accepted.turn, accepted),
    storeScreenshot(tx, accepted),
  ])
  return { state: 'running' as const, turn, space, agent, message, model, events }
}

async function enqueue(tx: Queryable, accepted: Accepted, why: string): Promise<AcceptedTurn> {
  const { turn, message } = accepted
  const turns = createTurnsRepo(tx)
  const waiting = await turns.listQueued(turn.conversation_id)
  if (waiting.length >= maxQueuedTurns) {
    throw conflict('queue_full', `${maxQueuedTurns} messages are already queued. Withdraw one, or wait.`, {
      turn_ids: waiting.map(({ id }) => id),
    })
  }
  const queued = await turns.insert(turn, { message }, toRows(firstEvents(accepted, why)))
  await storeRouting(tx, turn, accepted)
  await storeScreenshot(tx, accepted)
  return { state: 'queued', turn: queued }
}

async function storeScreenshot(tx: Queryable, { turn, request: { screenshot: image, message } }: Accepted) {
  const id = message.screenshot?.id
  if (id && image) await createConversationAttachmentsRepo(tx).insert(turn, { id, ...image })
}

/** Where the turn is, and in words whether that is another Space, and what it waits for. */
function firstEvents(accepted: Accepted, why: string): NumberedEvent[] {
  const { routing } = accepted
  const where = routing?.space ? placeWords(routing.title, routing.space.name) : ''
  const message = [where, why].filter(Boolean).join(' ')
  const first = toTurnEvent(accepted)
  return message ? [first, { type: 'status', seq: 2, data: { message } }] : [first]
}

function toTurnEvent({ agent, turn, routed, routing }: Accepted): NumberedEvent {
  const { id: turn_id, conversation_id, agent_id } = turn
  const answering = agent.slug === firstCompanion ? {} : { agent_id }
  const how = routing ? { routing: toTurnRouting(routing) } : {}
  return { type: 'turn', seq: 1, data: { turn_id, conversation_id, ...answering, routed, ...how } }
}

const tooBusy = () =>
  new AppError('too_busy', 503, 'Too many messages are waiting for an answer. Try again in a few seconds.', {
    details: { retry_after_seconds: 5 },
  })

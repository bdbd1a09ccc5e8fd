// Routing of a message that names no conversation: what is known is read, the obvious is decided at once, the rest is
// asked of a router, while no transaction is open. The decision is stored with the turn.

import { v7 as uuid } from 'uuid'
import type { SideModels } from '../../ai/models/side-models.ts'
import type { UserMessage } from '../../contract/companion/companion.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import type { Routed, RoutedSpace, TurnRouting } from '../../contract/events/events.ts'
import type { Actor } from '../../core/actor.ts'
import { conflict, notFound } from '../../core/errors.ts'
import type { Logger } from '../../core/logger.ts'
import { cleanText } from '../../core/text/clean.ts'
import { quoteShown } from '../../core/text/quote-name.ts'
import type { Database, Queryable } from '../../db/pool.ts'
import type { AgentRow } from '../../db/repos/agents.ts'
import { type ConversationRow, createConversationsRepo } from '../../db/repos/conversations.ts'
import { createMessagesRepo } from '../../db/repos/messages.ts'
import {
  createRoutingDecisionsRepo,
  type NewRoutingDecision,
  type ThreadRow,
} from '../../db/repos/routing_decisions.ts'
import type { TurnRow } from '../../db/repos/turns.ts'
import { createUsageRepo } from '../../db/repos/usage.ts'
import { loadImages, nameImages, toImage } from '../prompt/question.ts'
import type { ScreenImage } from '../prompt/read-image.ts'
import { loadShown, type Seen } from '../prompt/system-prompt.ts'
import {
  type Choice,
  choose,
  createModelRouter,
  type Decision,
  type Router,
  type RoutingCase,
  type Thread,
} from './router.ts'
import { answersQuestion, isRecent, obviousReason, ruleRouter } from './rule-router.ts'

type RoutingRequest = {
  space_id: string
  /** Who answers. */
  agent_id: string
  /** Other Spaces whose conversations it may belong to; `null`: all. */
  elsewhere: readonly string[] | null
  /** The conversation that is shown; `null`: the latest. */
  active_id: string | null
  /** Of its files the first image is looked at, if no screenshot came with it. */
  message: UserMessage
  screenshot?: ScreenImage | undefined
  /** Without the small model: another model than the configured one answers this turn. */
  rulesOnly: boolean
}

/** Where a turn goes. `conversation_id` is `null` for a new one. */
export type Routing = Pick<
  NewRoutingDecision,
  'active_id' | 'choice' | 'decided_by' | 'reason' | 'known' | 'model' | 'answer' | 'duration_ms'
> & {
  decision_id: string
  conversation_id: string | null
  /** The Space of the conversation, if it is not that of the message. */
  space: RoutedSpace | null
  title: string
  /** What the router’s own call is noted under; `null` where it made none. */
  call_id: string | null
}

type RouteTurn = (request: RoutingRequest) => Promise<Routing>

/** How many other conversations are looked at. */
const maxOthers = 10
/** A few more are read, because empty ones are left out. */
const maxThreads = maxOthers + 5

export type RouterDeps = {
  database: Database
  kinds: Kinds
  sideModels: Pick<SideModels, 'small'>
  logger: Logger
  now: () => Date
  limitMs?: number
}

/** Rejects only when the database cannot be read; a router's error becomes a decision. */
export function createTurnRouter({
  database,
  kinds,
  sideModels,
  logger,
  now,
  limitMs,
}: RouterDeps): RouteTurn {
  return async (request) => {
    const { space_id, agent_id, active_id: activeId, elsewhere } = request
    const message = request.message.text
    const repo = createRoutingDecisionsRepo(database)
    const threads = await repo.listThreads(space_id, agent_id, { activeId, elsewhere, limit: maxThreads })
    const active = threads.find((thread) => thread.space_id === space_id) ?? null
    const others = latestOf(threads.filter((thread) => thread !== active)).map(toThreadOf(space_id))
    const place = { space_id, active_id: active?.id ?? null, threads }
    const reason = obviousReason({ now: now(), active, others: others.filter(({ space }) => !space).length })
    if (reason) {
      const facts = known(message, active && toThread(active), others)
      return { ...toRouting(place, facts, obvious(reason, active)), call_id: null }
    }

    const spoken = active && { ...toThread(active), ...(await lastText(active.id)) }
    const facts = known(message, spoken, others)
    const mayAnswer = spoken && !request.message.command && isRecent(spoken, now())
    if (mayAnswer && answersQuestion(message, spoken.last_answer))
      return { ...toRouting(place, facts, obvious('asked', active)), call_id: null }
    const call_id = uuid()
    const asked = await router(request, call_id)
    // The rules count words of conversations alone.
    const seen = asked.by === 'model' ? await look(request) : {}
    const routingCase = { message, active: spoken, others, ...seen, now: now() }
    const decision = await choose(asked, routingCase, limitMs === undefined ? {} : { limitMs })
    if (decision.decided_by === 'fallback') {
      logger.warn({ space_id, reason: decision.reason, model: decision.model }, 'message not routed')
      decision.choice = (await choose(ruleRouter, routingCase)).choice
    }
    return {
      ...toRouting(place, facts, decision),
      call_id: asked.by === 'model' ? call_id : null,
    }
  }

  async function router({ rulesOnly, space_id }: RoutingRequest, id: string): Promise<Router> {
    const call = { id, purpose: 'routing' as const, space_id, conversation_id: null, turn_id: null }
    const small = rulesOnly ? null : await sideModels.small(call)
    return small ? createModelRouter(small) : ruleRouter
  }

  async function look({
    space_id,
    message,
    screenshot,
  }: RoutingRequest): Promise<Pick<RoutingCase, 'images' | 'shown'>> {
    const content = screenshot
      ? [toImage(screenshot.mime, screenshot.bytes)]
      : nameImages({ attachments: message.attachments }).slice(0, 1)
    const [seen, { messages }] = await Promise.all([
      loadShown(database, kinds, space_id, message),
      loadImages(database, { space_id, conversation_id: null }, [{ role: 'user', content }]),
    ])
    const images = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content))
    return { shown: nameShown(seen), images }
  }

  async function lastText(id: string): Promise<{ last_question: string | null; last_answer: string | null }> {
    const messages = await createMessagesRepo(database).listLatest(id, null, 2)
    const lastOf = (role: string) => messages.findLast((message) => message.role === role)?.body ?? null
    return { last_question: lastOf('user'), last_answer: lastOf('assistant') }
  }
}

/** Tabs beside one another, so many at most. */
const maxTabs = 12

const nameShown = ({ view, tabs }: Awaited<ReturnType<typeof loadShown>>) => ({
  view: view && nameOf(view),
  tabs: tabs.slice(0, maxTabs).map(nameOf),
})

const nameOf = (seen: Seen): string =>
  'view' in seen ? [seen.view, seen.q].filter(Boolean).join(': ') : seen.title

function obvious(reason: string, active: ThreadRow | null): Decision {
  const choice: Choice = { choice: active ? 'continue' : 'new' }
  return { choice, decided_by: 'obvious', reason, model: null, answer: null, duration_ms: 0 }
}

/** The latest of them, in their order. */
function latestOf(threads: readonly ThreadRow[]): ThreadRow[] {
  const at = ({ last_activity_at }: ThreadRow) => Date.parse(last_activity_at)
  const latest = new Set(threads.toSorted((a, b) => at(b) - at(a)).slice(0, maxOthers))
  return threads.filter((thread) => latest.has(thread))
}

function toRouting(
  { space_id, active_id, threads }: Pick<Routing, 'active_id'> & { space_id: string; threads: ThreadRow[] },
  facts: unknown,
  decision: Decision,
): Omit<Routing, 'call_id'> {
  const { choice, ...rest } = decision
  const conversation_id =
    choice.choice === 'continue' ? active_id : choice.choice === 'resume' ? choice.id : null
  const chosen = threads.find(({ id }) => id === conversation_id)
  const isElsewhere = chosen !== undefined && chosen.space_id !== space_id
  return {
    ...rest,
    decision_id: uuid(),
    choice: choice.choice,
    conversation_id,
    space: isElsewhere ? { id: chosen.space_id, slug: chosen.space_slug, name: chosen.space_name } : null,
    title: chosen?.title ?? '',
    active_id,
    known: facts,
  }
}

/** Stores with a turn how it was routed, if it was, and whose call the router's own was. */
export async function storeRouting(
  tx: Queryable,
  turn: Pick<TurnRow, 'id' | 'space_id' | 'conversation_id'>,
  { routing, sent }: { routing: Routing | null; sent: { space_id: string; idempotency_key: string | null } },
): Promise<void> {
  if (!routing) return
  const { decision_id, call_id, title: _, space, ...decision } = routing
  const decisions = createRoutingDecisionsRepo(tx)
  if (space)
    await decisions.insertForwarded({ id: turn.id, space_id: sent.space_id, key: sent.idempotency_key })
  await decisions.insert({
    ...decision,
    // The conversation in use is one of the other Space then.
    active_id: space ? null : decision.active_id,
    id: decision_id,
    space_id: turn.space_id,
    turn_id: turn.id,
    conversation_id: turn.conversation_id,
    reason: cleanText(decision.reason),
    answer: decision.answer && cleanText(decision.answer),
  })
  if (call_id) await createUsageRepo(tx).linkSideCall(call_id, turn)
}

/** The decision as it is sent to the reader of the turn. */
export const toTurnRouting = ({
  decision_id,
  decided_by,
  title,
  active_id,
  space,
}: Routing): TurnRouting => ({
  decision_id,
  by: decided_by,
  title,
  from: active_id,
  ...(space && { space }),
})

/** Says that a turn goes on in a conversation of another Space. */
export const placeWords = (title: string, space: string): string =>
  `Continuing ${quoteShown(title || 'an untitled thread')} in the Space ${quoteShown(space)}.`

/** What is kept with the decision, so that it can be made again by another router. */
function known(message: string, active: Partial<RoutingCase['active']>, others: readonly Thread[]) {
  return { message: message.slice(0, 4000).toWellFormed(), active, others }
}

const toThread = ({ id, title, summary, last_activity_at }: ThreadRow): Thread => ({
  id,
  title,
  summary,
  last_activity_at,
})

const toThreadOf = (spaceId: string) => (row: ThreadRow) =>
  row.space_id === spaceId ? toThread(row) : { ...toThread(row), space: row.space_name }

/** A message that is accepted, and who answers it. */
type Placed = {
  actor: Actor
  agent: AgentRow
  request: { space_id: string; conversation_id?: string | null | undefined }
  /** `null` when the message names its conversation. */
  routing: Routing | null
}

/**
 * Where a message goes, locked. Throws a 404 `AppError` for an unknown conversation, and for one of another Space that
 * has gone since it was chosen.
 */
export async function openConversation(
  tx: Queryable,
  { actor, agent, request, routing }: Placed,
): Promise<{ conversation: ConversationRow; routed: Routed }> {
  const conversations = createConversationsRepo(tx)
  const { space_id, conversation_id } = request
  const id = conversation_id ?? routing?.conversation_id
  const found = id ? await conversations.findLocked(space_id, id) : null
  if (id && !found && (conversation_id || routing?.space)) throw notFound('conversation', id)
  refuseImported(found)
  if (found && !routing) return { conversation: found, routed: 'named' }
  if (found) return { conversation: found, routed: routing?.choice === 'resume' ? 'resumed' : 'latest' }
  if (routing?.choice === 'new' && routing.active_id !== null) {
    return { conversation: await conversations.insert(space_id, agent.id, actor), routed: 'new' }
  }
  // There was none yet, or the one chosen has gone since. Of two messages at once the second joins the first.
  const latest = await conversations.findLatest(space_id, agent.id)
  const joined = latest ?? (await conversations.findOrCreateForSpace(space_id, agent.id, actor))
  const conversation = (await conversations.findLocked(space_id, joined.id)) ?? joined
  return { conversation, routed: latest ? 'latest' : 'new' }
}

/** Throws a 409 `AppError` for a conversation of another product: it goes on in a clone of it. */
export function refuseImported(conversation: Pick<ConversationRow, 'imported_from'> | null): void {
  if (conversation?.imported_from == null) return
  throw conflict('imported_thread', 'This thread is imported and read-only. Continue it in a new thread.')
}

// Routing of a message that names no conversation: what is known is read, the obvious is decided at once, the rest is
// asked of a router, while no transaction is open. The decision is stored with the turn.

import { v7 as uuid } from 'uuid'
import type { SideModels } from '../../ai/models/side-models.ts'
import type { UserMessage } from '../../contract/companion/companion.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import type { TurnRouting } from '../../contract/events/events.ts'
import type { Logger } from '../../core/logger.ts'
import { cleanText } from '../../core/text/clean.ts'
import type { Database, Queryable } from '../../db/pool.ts'
import { createMessagesRepo } from '../../db/repos/messages.ts'
import {
  createRoutingDecisionsRepo,
  type NewRoutingDecision,
  type ThreadRow,
} from '../../db/repos/turn_places.ts'
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
import { answersQuestion, ruleRouter } from './rule-router.ts'

type RoutingRequest = {
  space_id: string
  /** Who answers. */
  agent_id: string
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
    const { space_id, agent_id, active_id: activeId } = request
    const message = request.message.text
    const repo = createRoutingDecisionsRepo(database)
    const threads = await repo.listThreads(space_id, agent_id, { activeId, limit: maxThreads })
    const [active = null, ...rest] = threads
    const others = rest.slice(0, maxOthers)
    const reason = obviousReason({ now: now(), active, others: others.length })
    if (reason) {
      const facts = known(message, active && toThread(active), others)
      return { ...toRouting(threads, facts, obvious(reason, active)), call_id: null }
    }

    const spoken = active && { ...toThread(active), ...(await lastText(active.id)) }
    if (spoken && isRecent(spoken, now()) && answersQuestion(message, spoken.last_answer)) {
      return {
        ...toRouting(threads, known(message, spoken, others), obvious('asked', active)),
        call_id: null,
      }
    }
    const call_id = uuid()
    const asked = await router(request, call_id)
    // The rules count words of conversations alone.
    const seen = asked.by === 'model' ? await look(request) : {}
    const routingCase = { message, active: spoken, others: others.map(toThread), ...seen, now: now() }
    const decision = await choose(asked, routingCase, limitMs === undefined ? {} : { limitMs })
    if (decision.decided_by === 'fallback') {
      logger.warn({ space_id, reason: decision.reason, model: decision.model }, 'message not routed')
      decision.choice = (await choose(ruleRouter, routingCase)).choice
    }
    return {
      ...toRouting(threads, known(message, spoken, others), decision),
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

function toRouting(
  threads: readonly ThreadRow[],
  facts: unknown,
  decision: Decision,
): Omit<Routing, 'call_id'> {
  const { choice, ...rest } = decision
  const active_id = threads[0]?.id ?? null
  const conversation_id =
    choice.choice === 'continue' ? active_id : choice.choice === 'resume' ? choice.id : null
  return {
    ...rest,
    decision_id: uuid(),
    choice: choice.choice,
    conversation_id,
    title: threads.find(({ id }) => id === conversation_id)?.title ?? '',
    active_id,
    known: facts,
  }
}

/** Stores with a turn how it was routed, if it was, and whose call the router's own was. */
export async function storeRouting(
  tx: Queryable,
  turn: Pick<TurnRow, 'id' | 'space_id' | 'conversation_id'>,
  routing: Routing | null,
): Promise<void> {
  if (!routing) return
  const { decision_id, call_id, title: _, ...decision } = routing
  await createRoutingDecisionsRepo(tx).insert({
    ...decision,
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
export const toTurnRouting = ({ decision_id, decided_by, title, active_id }: Routing): TurnRouting => ({
  decision_id,
  by: decided_by,
  title,
  from: active_id,
})

/** What is kept with the decision, so that it can be made again by another router. */
function known(message: string, active: Partial<RoutingCase['active']>, others: readonly ThreadRow[]) {
  return { message: message.slice(0, 4000).toWellFormed(), active, others: others.map(toThread) }
}

const toThread = ({ id, title, summary, last_activity_at }: ThreadRow): Thread => ({
  id,
  title,
  summary,
  last_activity_at,
})

/** What decides without a router where a message belongs. */
export type Situation = {
  now: Date
  active: {
    /** `null` when nothing was said in it yet. */
    last_said_at: string | null
    last_activity_at: string
    chosen_at: string | null
    busy: boolean
    /** A research run waits there for the owner. */
    held: boolean
  } | null
  /** How many other conversations something was said in. */
  others: number
}

/** How long a choice by hand holds until it is used, and a question of the companion until it is answered. */
const recentMs = 60 * 60_000

type ObviousReason = 'none_yet' | 'just_begun' | 'chosen' | 'busy' | 'research'

/**
 * Why no router has to be asked, or `null`. Without an active conversation and others there is nothing to choose
 * between; else the message continues the active one, because a research run waits there, nothing was said in it yet,
 * the owner has just opened it by hand, or an answer is being written in it.
 */
export function obviousReason({ now, active, others }: Situation): ObviousReason | null {
  if (!active) return others === 0 ? 'none_yet' : null
  if (active.held) return 'research'
  if (active.last_said_at === null) return 'just_begun'
  if (active.busy) return 'busy'
  return isChosen(active, now) ? 'chosen' : null
}

function isChosen({ chosen_at, last_said_at }: NonNullable<Situation['active']>, now: Date): boolean {
  if (!chosen_at || !last_said_at) return false
  const chosen = Date.parse(chosen_at)
  return chosen > Date.parse(last_said_at) && now.getTime() - chosen <= recentMs
}

const isRecent = ({ last_activity_at }: Thread, now: Date) =>
  now.getTime() - Date.parse(last_activity_at) <= recentMs

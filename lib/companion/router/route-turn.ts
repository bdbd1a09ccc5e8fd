// Routing of a turn that names no conversation: what is known is read, the obvious is decided at once, the rest is
// asked of a router. Nothing is written here and no transaction is open; the decision is stored with the turn.

import { v7 as uuid } from 'uuid'
import type { SideModels } from '../../ai/models/side-models.ts'
import type { AttachedFile } from '../../contract/companion/companion.ts'
import type { Database } from '../../db/pool.ts'
import type { ThreadRow } from '../../db/repos/addressed.ts'
import { createMessagesRepo } from '../../db/repos/messages.ts'
import type { NewRoutingDecision } from '../../db/repos/routing_decisions.ts'
import type { Kinds } from '../../entities/kinds.ts'
import type { Logger } from '../../logger.ts'
import { loadImages, nameImages } from '../prompt/attached-images.ts'
import { loadShown, type Seen, type SpaceContextRequest } from '../prompt/system-prompt.ts'
import { createModelRouter } from './model-router.ts'
import { obviousReason } from './obvious.ts'
import { type Choice, choose, type Decision, type Router, type RoutingCase, type Thread } from './router.ts'
import { ruleRouter } from './rule-router.ts'

type RoutingRequest = {
  space_id: string
  text: string
  /** The conversations of who answers, as they come with it; see `findAddressed` of the database. */
  threads: readonly ThreadRow[]
  view: SpaceContextRequest['view']
  desk: SpaceContextRequest['desk']
  /** The files that come with it, of which the first image is looked at. */
  attachments: readonly AttachedFile[]
  /** Without the small model: another model than the configured one answers this turn. */
  rulesOnly: boolean
}

/** Where a turn goes. `conversation_id` is `null` for a new one. */
export type Routing = Pick<
  NewRoutingDecision,
  'active_id' | 'choice' | 'decided_by' | 'reason' | 'known' | 'model' | 'answer' | 'duration_ms'
> & {
  conversation_id: string | null
  title: string
  /** What the router’s own call is noted under. */
  call_id: string
}

export type RouteTurn = (request: RoutingRequest) => Promise<Routing>

/** How many other conversations are looked at. */
const maxOthers = 10
/** A few more are read, because empty ones are left out. */
export const maxThreads = maxOthers + 5

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
    const { space_id, text: message, threads } = request
    const call_id = uuid()
    const [active = null, ...rest] = threads
    const others = rest.slice(0, maxOthers)
    const reason = obviousReason({ message, now: now(), active, others: others.length })
    if (reason) {
      const facts = known(message, active && toThread(active), others)
      return { ...toRouting(threads, facts, obvious(reason, active)), call_id }
    }

    const spoken = active && { ...toThread(active), ...(await lastText(active.id)) }
    const asked = await router(request, call_id)
    // The rules count words of conversations alone.
    const seen = asked.by === 'model' ? await look(request) : {}
    const routingCase = { message, active: spoken, others: others.map(toThread), ...seen, now: now() }
    const decision = await choose(asked, routingCase, limitMs === undefined ? {} : { limitMs })
    if (decision.decided_by === 'fallback') {
      logger.warn({ space_id, reason: decision.reason, model: decision.model }, 'message not routed')
    }
    return { ...toRouting(threads, known(message, spoken, others), decision), call_id }
  }

  async function router({ rulesOnly, space_id }: RoutingRequest, id: string): Promise<Router> {
    const call = { id, purpose: 'routing' as const, space_id, conversation_id: null, turn_id: null }
    const small = rulesOnly ? null : await sideModels.small(call)
    return small ? createModelRouter(small) : ruleRouter
  }

  async function look(request: RoutingRequest): Promise<Pick<RoutingCase, 'images' | 'shown'>> {
    const content = nameImages(request.attachments).slice(0, 1)
    const [seen, { messages }] = await Promise.all([
      loadShown(database, kinds, request),
      loadImages(database, request.space_id, [{ role: 'user', content }]),
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
    choice: choice.choice,
    conversation_id,
    title: threads.find(({ id }) => id === conversation_id)?.title ?? '',
    active_id,
    known: facts,
  }
}

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

// The conversation in use in a Space as the rail opens with it, and its earlier messages page by page.

import type { ModelProvider } from '../ai/models/model-provider.ts'
import { type LoadCards, loadCardsByIds } from '../changes/card/load-cards.ts'
import type { AgentMark } from '../contract/agents.ts'
import type {
  CompanionState,
  LastRouting,
  Message,
  MessagePage,
  QueuedMessage,
} from '../contract/companion/companion.ts'
import type { Actor } from '../core/actor.ts'
import { notFound } from '../core/errors.ts'
import { cleanLine } from '../core/text/clean.ts'
import type { Database, Queryable } from '../db/pool.ts'
import { type AgentRow, createAgentsRepo } from '../db/repos/agents.ts'
import { createConversationsRepo } from '../db/repos/conversations.ts'
import { createOverviewRepo } from '../db/repos/home.ts'
import { createMessagesRepo } from '../db/repos/messages.ts'
import { createRoutingDecisionsRepo } from '../db/repos/routing_decisions.ts'
import { createTurnsRepo, type QueuedTurn } from '../db/repos/turns.ts'
import { loadNoteSettings } from '../space/notes.ts'
import type { Companion } from './companion.ts'

type CompanionStateDeps = {
  database: Database
  loadCards: LoadCards
  companion: Companion
  models: Pick<ModelProvider, 'current'>
  now: () => Date
}

/**
 * The conversation in use in a Space, or in use with one of its companions, created when there is none, with its latest
 * messages. Throws a 404 `AppError` for a companion that does not answer there.
 */
export async function loadCompanionState(
  deps: CompanionStateDeps,
  { space_id, agent_id, actor, limit }: StateRequest,
): Promise<CompanionState> {
  const { database, loadCards, companion } = deps
  const agent = await companion.agent(space_id, agent_id)
  const conversation = await companion.conversation(space_id, actor, agent.id)
  const { mode, name: model, takesThinking } = deps.models.current(conversation.model ?? agent.model)
  const open = await createTurnsRepo(database).findOpen(conversation.id)
  const rows = await createMessagesRepo(database).listLatest(conversation.id, null, limit + 1)
  const messages = rows.slice(-limit)
  const latest = { turnId: messages.at(-1)?.turn_id ?? null, now: deps.now() }
  return {
    conversation_id: conversation.id,
    title: conversation.title,
    agent: {
      ...toMark(agent),
      ...{ mode, model, chosen_model: conversation.model },
      thinking: takesThinking ? agent.thinking : null,
    },
    companions: (await createAgentsRepo(database).listAnswering(space_id)).map(toMark),
    agents: await listAuthors(database, messages, conversation.former_agent_id),
    former_agent_id: conversation.former_agent_id,
    messages,
    more: rows.length > limit,
    cards: await loadCardsByIds(database, loadCards, { space_id, ids: draftIdsOf(messages) }),
    running_turn_id: open?.status === 'running' ? open.id : null,
    last_routing: await describeLastRouting(database, latest),
    queued: (await companion.queued(conversation.id)).map(toQueuedMessage),
    questions: messages.length === 0 ? await suggestQuestions(database, space_id) : [],
  }
}

type StateRequest = {
  space_id: string
  /** `null`: the companion of the conversation in use. */
  agent_id: string | null
  actor: Actor
  limit: number
}

const toMark = ({ id, slug, name, color }: AgentRow): AgentMark => ({ id, slug, name, color })

/** Who wrote the answers among the messages, and who the conversation was with before. */
async function listAuthors(db: Queryable, messages: readonly Message[], former: string | null) {
  const ids = [former, ...messages.map(({ agent_id }) => agent_id)].filter((id) => id !== null)
  return await createAgentsRepo(db).listMarks([...new Set(ids)])
}

/** The messages of a conversation before one, or the latest. Throws a 404 `AppError`. */
export async function listMessages(
  db: Database,
  loadCards: LoadCards,
  { conversation_id, before, limit }: { conversation_id: string; before: string | null; limit: number },
): Promise<MessagePage> {
  const conversation = await createConversationsRepo(db).findAnywhere(conversation_id)
  if (!conversation) throw notFound('conversation', conversation_id)
  const { space_id } = conversation
  const rows = await createMessagesRepo(db).listLatest(conversation_id, before, limit + 1)
  const items = rows.slice(-limit)
  const cards = await loadCardsByIds(db, loadCards, { space_id, ids: draftIdsOf(items) })
  const agents = await listAuthors(db, items, null)
  return { items, cards, agents, next_cursor: rows.length > limit ? (items[0]?.id ?? null) : null }
}

export const toQueuedMessage = ({ id, message, created_at }: QueuedTurn): QueuedMessage => ({
  turn_id: id,
  text: message.text,
  mentions: message.mentions ?? [],
  created_at,
})

/** The drafts that messages made, for their cards. */
const draftIdsOf = (messages: readonly Message[]) =>
  messages.flatMap((message) => (message.role === 'assistant' ? message.metadata.draft_ids : []))

const routedBy = { continue: 'latest', resume: 'resumed', new: 'new' } as const

/** After this time a routing is no news. */
const newsMs = 10 * 60_000

/** How a turn was just routed, in the words of its `turn` event. `null` when it was not, or that was undone. */
async function describeLastRouting(
  db: Queryable,
  { turnId, now }: { turnId: string | null; now: Date },
): Promise<LastRouting | null> {
  const decision = turnId && (await createRoutingDecisionsRepo(db).findOfTurn(turnId))
  if (!decision || now.getTime() - Date.parse(decision.created_at) > newsMs) return null
  const { id, turn_id, space_id, conversation_id, choice, decided_by, active_id } = decision
  const conversation = await createConversationsRepo(db).find(space_id, conversation_id)
  const title = choice === 'new' ? '' : (conversation?.title ?? '')
  return { turn_id, decision_id: id, routed: routedBy[choice], by: decided_by, title, from: active_id }
}

// What somebody could ask in a Space that they do not know yet: made from what it holds, without a model.

const maxTitleLength = 60

const forEmptySpace = [
  'What can you do?',
  'Create a task to write down what this Space is for',
  'Add a page called “First notes”',
]

/** Three questions that the companion can answer from what the Space holds, with or without a model. */
export async function suggestQuestions(db: Queryable, spaceId: string): Promise<string[]> {
  const overview = createOverviewRepo(db)
  const { templates_page: notBelow } = await loadNoteSettings(db, spaceId)
  const passages = await overview.listRecentHeadings(spaceId, { limit: 12, notBelow })
  const [task] = await overview.listOpenTasks(spaceId, 1)

  const named = passages.filter(({ title }) => title.length <= maxTitleLength)
  const deep = named.find(({ heading }) => heading !== null && heading.length <= maxTitleLength)
  const other = named.find(({ title }) => title !== deep?.title)
  const questions = [
    deep?.heading && `What does “${cleanLine(deep.title)}” say about “${cleanLine(deep.heading)}”?`,
    task && (task.due_on ? 'Which tasks are due next?' : 'Which tasks are open?'),
    other && `What does “${cleanLine(other.title)}” say?`,
    named.length > 0 && 'What is in this Space?',
    ...forEmptySpace,
  ]
  return questions
    .filter((question) => typeof question === 'string' && question !== '')
    .slice(0, 3) as string[]
}

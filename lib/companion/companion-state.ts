import type { ModelProvider } from '../ai/models/model-provider.ts'
import type { LoadCards } from '../changes/card/load-cards.ts'
import { loadCardsByIds } from '../changes/card/load-cards-by-ids.ts'
import type { AgentMark } from '../contract/agents.ts'
import type { CompanionState, Message, MessagePage, QueuedMessage } from '../contract/companion/companion.ts'
import type { Actor } from '../core/actor.ts'
import { notFound } from '../core/errors.ts'
import type { Database, Queryable } from '../db/pool.ts'
import { type AgentRow, createAgentsRepo } from '../db/repos/agents.ts'
import { createConversationsRepo } from '../db/repos/conversations.ts'
import { createMessagesRepo } from '../db/repos/messages.ts'
import type { QueuedTurn } from '../db/repos/turns.ts'
import { createTurnsRepo } from '../db/repos/turns.ts'
import type { Companion } from './companion.ts'
import { describeLastRouting } from './router/describe-routing.ts'
import { suggestQuestions } from './suggested-questions.ts'

export type CompanionStateDeps = {
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
  const { mode, name: model } = deps.models.current(conversation.model ?? agent.model)
  const open = await createTurnsRepo(database).findOpen(conversation.id)
  const rows = await createMessagesRepo(database).listLatest(conversation.id, null, limit + 1)
  const messages = rows.slice(-limit)
  const latest = { turnId: messages.at(-1)?.turn_id ?? null, now: deps.now() }
  return {
    conversation_id: conversation.id,
    title: conversation.title,
    agent: { ...toMark(agent), mode, model, chosen_model: conversation.model },
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
  created_at,
})

/** The drafts that messages made, for their cards. */
const draftIdsOf = (messages: readonly Message[]) =>
  messages.flatMap((message) => (message.role === 'assistant' ? message.metadata.draft_ids : []))

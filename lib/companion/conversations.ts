// The conversations of a Space, as the owner lists and manages them, and their news for the open tabs.

import type { Conversation } from '../contract/companion/companion.ts'
import type { RoutingUndone } from '../contract/companion/turns.ts'
import type { Actor } from '../core/actor.ts'
import { notFound } from '../core/errors.ts'
import { cleanLine } from '../core/text/clean.ts'
import type { Database } from '../db/pool.ts'
import {
  type ConversationFilter,
  type ConversationRow,
  createConversationsRepo,
} from '../db/repos/conversations.ts'
import type { Live } from '../space/live/live.ts'
import type { Companion } from './companion.ts'
import { type UndoTarget, undoRouting } from './router/undo-routing.ts'
import { showVersion } from './turn/versions.ts'

type ConversationChange = {
  title?: string | undefined
  archived?: boolean | undefined
  /** The model that answers in it; `null`: that of its companion. */
  model?: string | null | undefined
  /** Makes it the current one. */
  in_use?: true | undefined
}

/** Each throws a 404 `AppError` for a conversation that is not in the Space. */
export type Conversations = {
  /** Those with `words` in the title, the summary or a message, newest activity first. */
  search(spaceId: string, words: string, filter: ConversationFilter): Promise<Conversation[]>
  /** Creates one with that companion, or with the one in use, and makes it the current one. */
  create(spaceId: string, actor: Actor, agentId: string | null): Promise<Conversation>
  find(spaceId: string, id: string): Promise<Conversation>
  update(spaceId: string, id: string, change: ConversationChange): Promise<Conversation>
  /** Puts it in the trash, withdraws its queued turns and stops the running one. */
  remove(spaceId: string, id: string): Promise<Conversation>
  restore(spaceId: string, id: string): Promise<Conversation>
  /** As `showVersion`. */
  showVersion(turnId: string): Promise<void>
  /** As `undoRouting`. */
  undoRouting(actor: Actor, id: string, to: UndoTarget): Promise<RoutingUndone>
}

export type ConversationsDeps = {
  database: Database
  live: Live
  companion: Pick<Companion, 'agent' | 'endAll'>
}

const maxListed = 100

export function createConversations({ database, live, companion }: ConversationsDeps): Conversations {
  const repo = createConversationsRepo(database)

  const announce = (row: ConversationRow, state: ConversationRow['status'] | 'deleted'): Conversation => {
    live.publish({ type: 'conversation', data: { id: row.id, space_id: row.space_id, state } })
    return toConversation(row)
  }

  return {
    async search(spaceId, words, filter) {
      const rows = await repo.search(spaceId, { words: cleanLine(words), filter, limit: maxListed })
      return rows.map(toConversation)
    },

    async create(spaceId, actor, agentId) {
      const { id } = await companion.agent(spaceId, agentId)
      return toConversation(await repo.insertChosen(spaceId, id, actor))
    },

    async find(spaceId, id) {
      return toConversation(existing(await repo.find(spaceId, id), id))
    },

    async update(spaceId, id, { title, archived, model, in_use }) {
      if (title !== undefined) await repo.rename(spaceId, id, title)
      if (archived !== undefined) await repo.setArchived(spaceId, id, archived)
      if (model !== undefined) await repo.chooseModel(spaceId, id, model)
      if (in_use) await repo.bringForward(spaceId, id)
      const row = existing(await repo.find(spaceId, id), id)
      return announce(row, row.status)
    },

    async remove(spaceId, id) {
      const row = existing(await repo.remove(spaceId, id), id)
      await companion.endAll(id)
      return announce(row, 'deleted')
    },

    async restore(spaceId, id) {
      const row = existing(await repo.restore(spaceId, id), id)
      return announce(row, row.status)
    },

    async showVersion(turnId) {
      const { conversation_id: id, space_id } = await showVersion(database, turnId)
      live.publish({ type: 'conversation', data: { id, space_id, state: 'active', rearranged: true } })
    },

    async undoRouting(actor, id, to) {
      const { decision, conversation, from, emptied } = await undoRouting(database, { actor, id, to })
      const { space_id } = conversation
      if (from !== conversation.id) {
        const state = emptied ? 'deleted' : 'active'
        live.publish({ type: 'conversation', data: { id: from, space_id, state } })
      }
      return { decision, conversation: announce(conversation, 'active'), from }
    },
  }
}

function existing(row: ConversationRow | null, id: string): ConversationRow {
  if (!row) throw notFound('conversation', id)
  return row
}

const toConversation = (row: ConversationRow): Conversation => ({
  id: row.id,
  space_id: row.space_id,
  agent_id: row.agent_id,
  model: row.model,
  title: row.title,
  summary: row.summary,
  status: row.status,
  started_at: row.started_at,
  last_activity_at: row.last_activity_at,
})

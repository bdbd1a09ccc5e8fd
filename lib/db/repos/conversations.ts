import { v7 as uuid } from 'uuid'
import { type Actor, actorName } from '../../auth/actor.ts'
import type { Queryable } from '../pool.ts'

export type ConversationRow = {
  id: string
  space_id: string
  agent_id: string
  title: string
  summary: string
  status: 'active' | 'archived'
  created_by: string
  started_at: string
  last_activity_at: string
}

const columns = 'id, space_id, agent_id, title, summary, status, created_by, started_at, last_activity_at'

export type ConversationsRepo = ReturnType<typeof createConversationsRepo>

export function createConversationsRepo(db: Queryable) {
  return {
    async find(spaceId: string, id: string): Promise<ConversationRow | null> {
      const { rows } = await db.query<ConversationRow>(
        `select ${columns}
         from conversations
         where space_id = $1 and id = $2 and deleted_at is null`,
        [spaceId, id],
      )
      return rows[0] ?? null
    },

    /** By id alone: for the owner, who may enter every Space. */
    async findAnywhere(id: string): Promise<ConversationRow | null> {
      const { rows } = await db.query<ConversationRow>(
        `select ${columns}
         from conversations
         where id = $1 and deleted_at is null
           and exists (select from spaces where spaces.id = space_id and spaces.deleted_at is null)`,
        [id],
      )
      return rows[0] ?? null
    },

    /** The conversation in use: the active one with the latest activity. */
    async findLatest(spaceId: string, agentId: string): Promise<ConversationRow | null> {
      const { rows } = await db.query<ConversationRow>(
        `select ${columns}
         from conversations
         where space_id = $1 and agent_id = $2 and status = 'active' and deleted_at is null
         order by last_activity_at desc, id desc
         limit 1`,
        [spaceId, agentId],
      )
      return rows[0] ?? null
    },

    async insert(spaceId: string, agentId: string, actor: Actor): Promise<ConversationRow> {
      const { rows } = await db.query<ConversationRow>(
        `insert into conversations (id, space_id, agent_id, created_by)
         values ($1, $2, $3, $4)
         returning ${columns}`,
        [uuid(), spaceId, agentId, actorName(actor)],
      )
      return rows[0]!
    },

    /** The conversation in use, or a new one. In a transaction, so that two callers at once do not make two. */
    async findOrCreateForSpace(spaceId: string, agentId: string, actor: Actor): Promise<ConversationRow> {
      const latest = await this.findLatest(spaceId, agentId)
      if (latest) return latest
      // Whoever waits here sees, in a statement of its own, what the one before has made.
      await db.query('select from spaces where id = $1 for update', [spaceId])
      return (await this.findLatest(spaceId, agentId)) ?? (await this.insert(spaceId, agentId, actor))
    },

    /** Gives it a title of the owner's choice. */
    async rename(spaceId: string, id: string, title: string): Promise<ConversationRow | null> {
      const { rows } = await db.query<ConversationRow>(
        `update conversations
         set title = $3
         where space_id = $1 and id = $2 and deleted_at is null
         returning ${columns}`,
        [spaceId, id, title],
      )
      return rows[0] ?? null
    },

    /** Makes it the conversation in use. */
    async bringForward(spaceId: string, id: string): Promise<ConversationRow | null> {
      const { rows } = await db.query<ConversationRow>(
        `update conversations
         set last_activity_at = now()
         where space_id = $1 and id = $2 and deleted_at is null
         returning ${columns}`,
        [spaceId, id],
      )
      return rows[0] ?? null
    },

    /** Those that have begun, newest activity first; `words` stand in the title or in a message. */
    async search(spaceId: string, words: string, limit: number): Promise<ConversationRow[]> {
      const { rows } = await db.query<ConversationRow>(
        `select ${columns}
         from conversations
         where space_id = $1 and deleted_at is null
           and exists (
             select from messages
             where conversation_id = conversations.id
               and ($2 = '' or strpos(lower(messages.body), lower($2)) > 0 or strpos(lower(title), lower($2)) > 0)
           )
         order by last_activity_at desc, id desc
         limit $3`,
        [spaceId, words, limit],
      )
      return rows
    },

    /** Newest activity first; the cursor is the last row's `last_activity_at` and id. */
    async list(filter: {
      space_id: string
      before: { at: string; id: string } | null
      limit: number
    }): Promise<ConversationRow[]> {
      const { rows } = await db.query<ConversationRow>(
        `select ${columns}
         from conversations
         where space_id = $1 and deleted_at is null
           and ($2::timestamptz is null or (last_activity_at, id) < ($2, $3::uuid))
         order by last_activity_at desc, id desc
         limit $4`,
        [filter.space_id, filter.before?.at ?? null, filter.before?.id ?? null, filter.limit],
      )
      return rows
    },
  }
}

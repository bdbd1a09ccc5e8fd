// Conversations of other products, with all that is theirs alone. Their messages are those of any conversation.

import type { ChatProduct } from '../../contract/imports.ts'
import type { Queryable } from '../pool.ts'

export type KnownChat = { key: string; conversation_id: string; sha256: string; deleted: boolean }

export type NewChat = {
  id: string
  space_id: string
  agent_id: string
  product: ChatProduct
  key: string
  sha256: string
  title: string
  summary: string
  started_at: string
  last_activity_at: string
}

export type NewChatMessage = { id: string; role: 'user' | 'assistant'; text: string; at: string }

/** In a query of conversations: those that were had here. */
export const isOwnConversation = (id: string): string =>
  `not exists (select from imported_conversations where imported_conversations.conversation_id = ${id})`

export function createImportedConversationsRepo(db: Queryable) {
  return {
    async findProduct(conversationId: string): Promise<ChatProduct | null> {
      const { rows } = await db.query<{ product: ChatProduct }>(
        'select product from imported_conversations where conversation_id = $1',
        [conversationId],
      )
      return rows[0]?.product ?? null
    },

    async listKnown(spaceId: string, product: ChatProduct, keys: readonly string[]): Promise<KnownChat[]> {
      const { rows } = await db.query<KnownChat>(
        `select key, conversation_id, sha256, conversations.deleted_at is not null as deleted
         from imported_conversations
         join conversations on conversations.id = conversation_id
         where imported_conversations.space_id = $1 and product = $2 and key = any($3)`,
        [spaceId, product, keys],
      )
      return rows
    },

    async insert(chat: NewChat): Promise<void> {
      await db.query(
        `insert into conversations
           (id, space_id, agent_id, title, titled_by, summary, status, created_by, started_at, last_activity_at)
         values ($1, $2, $3, $4, 'owner', $5, 'archived', 'system:import', $6, $7)`,
        [
          chat.id,
          chat.space_id,
          chat.agent_id,
          chat.title,
          chat.summary,
          chat.started_at,
          chat.last_activity_at,
        ],
      )
      await db.query(
        `insert into imported_conversations (conversation_id, space_id, product, key, sha256)
         values ($1, $2, $3, $4, $5)`,
        [chat.id, chat.space_id, chat.product, chat.key, chat.sha256],
      )
    },

    /** What a later export has of it, in place of what there was. */
    async replace(
      id: string,
      { title, sha256, last_activity_at }: Pick<NewChat, 'title' | 'sha256' | 'last_activity_at'>,
    ): Promise<void> {
      await db.query('delete from messages where conversation_id = $1', [id])
      await db.query('update conversations set title = $2, last_activity_at = $3 where id = $1', [
        id,
        title,
        last_activity_at,
      ])
      await db.query('update imported_conversations set sha256 = $2 where conversation_id = $1', [id, sha256])
    },

    /** In order. */
    async insertMessages(
      conversationId: string,
      messages: readonly NewChatMessage[],
      answered: Record<string, unknown>,
    ): Promise<void> {
      await db.query(
        `insert into messages (id, conversation_id, role, body, metadata, created_at)
         select (m ->> 'id')::uuid, $1, m ->> 'role', m ->> 'text',
                case m ->> 'role' when 'assistant' then $3::json else '{}'::json end, (m ->> 'at')::timestamptz
         from json_array_elements($2::json) with ordinality as one (m, place)
         order by place`,
        [conversationId, JSON.stringify(messages), JSON.stringify(answered)],
      )
    },

    /** Takes an import of one back. False where it is gone or was changed by a later import. */
    async undo(spaceId: string, conversationId: string): Promise<boolean> {
      const { rows } = await db.query(
        `update conversations
         set deleted_at = coalesce(deleted_at, now())
         where space_id = $1 and id = $2 and exists (
           select from imported_conversations where conversation_id = $2
         )
         returning id`,
        [spaceId, conversationId],
      )
      await db.query('delete from chunks where space_id = $1 and entity_id = $2', [spaceId, conversationId])
      return rows.length > 0
    },

    /** So that the next import of its export brings it in anew. */
    async forgetKey(conversationId: string): Promise<void> {
      await db.query(
        `update imported_conversations
         set key = left('undone ' || conversation_id || ' ' || key, 200)
         where conversation_id = $1`,
        [conversationId],
      )
    },
  }
}

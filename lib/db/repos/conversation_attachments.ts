// Images that are kept with the messages of a conversation, and are no files of its Space.

import type { Queryable } from '../pool.ts'

export type ConversationAttachment = { id: string; mime: string; bytes: Buffer }

export function createConversationAttachmentsRepo(db: Queryable) {
  return {
    async insert(
      turn: { id: string; conversation_id: string },
      { id, mime, bytes }: ConversationAttachment,
    ): Promise<void> {
      await db.query(
        `insert into conversation_attachments (conversation_id, id, turn_id, mime, bytes)
         values ($1, $2, $3, $4, $5)`,
        [turn.conversation_id, id, turn.id, mime, bytes],
      )
    },

    /** `null` when the conversation has none such, or it or its Space is in the trash. */
    async find(conversationId: string, id: string): Promise<ConversationAttachment | null> {
      const { rows } = await db.query<ConversationAttachment>(
        `select kept.id, mime, bytes
         from conversation_attachments as kept
         join conversations on conversations.id = conversation_id and conversations.deleted_at is null
         join spaces on spaces.id = conversations.space_id and spaces.deleted_at is null
         where conversation_id = $1 and kept.id = $2`,
        [conversationId, id],
      )
      return rows[0] ?? null
    },

    /** Copies those that the messages of another conversation name. */
    async copy(conversationId: string, to: string): Promise<void> {
      await db.query(
        `insert into conversation_attachments (conversation_id, id, mime, bytes)
         select $2, id, mime, bytes
         from conversation_attachments
         where conversation_id = $1
           and id in (
             select (metadata -> 'screenshot' ->> 'id')::uuid
             from messages
             where conversation_id = $2 and role = 'user' and metadata -> 'screenshot' is not null
           )`,
        [conversationId, to],
      )
    },

    /** Moves what came with a turn to another conversation. */
    async move(turnId: string, conversationId: string): Promise<void> {
      await db.query('update conversation_attachments set conversation_id = $2 where turn_id = $1', [
        turnId,
        conversationId,
      ])
    },

    async removeOfTurn(turnId: string): Promise<void> {
      await db.query('delete from conversation_attachments where turn_id = $1', [turnId])
    },
  }
}

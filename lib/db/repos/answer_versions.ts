// Answers that the owner edited: the message has the newest text, and here are those before it.

import type { AnswerVersion } from '../../contract/companion/companion.ts'
import type { AssistantMetadata } from '../../contract/events/events.ts'
import type { Queryable } from '../pool.ts'
import { seqOf } from './messages.ts'

/** In a query of turns: those whose answer is still what the companion wrote. */
export const isAsAnswered = (turnId: string): string =>
  `not exists (
     select from messages as edited
     join answer_versions on answer_versions.message_id = edited.id
     where edited.turn_id = ${turnId}
   )`

export type EditedAnswer = { body: string; metadata: AssistantMetadata }

export function createAnswerVersionsRepo(db: Queryable) {
  return {
    /** Until the transaction ends nobody else edits it. */
    async lock(messageId: string): Promise<EditedAnswer | null> {
      const { rows } = await db.query<EditedAnswer>(
        `select body, metadata from messages where id = $1 and role = 'assistant' for update`,
        [messageId],
      )
      return rows[0] ?? null
    },

    /** Puts a text in the place of another, which is kept. */
    async replace(messageId: string, before: EditedAnswer, { body, metadata }: EditedAnswer): Promise<void> {
      await db.query(
        `insert into answer_versions (message_id, version, body, citations, replaced_at)
         values ($1, (select count(*) + 1 from answer_versions where message_id = $1), $2, $3, $4)`,
        [messageId, before.body, JSON.stringify(before.metadata.citations), metadata.edited_at],
      )
      await db.query('update messages set body = $2, metadata = $3 where id = $1', [
        messageId,
        body,
        JSON.stringify(metadata),
      ])
      await db.query(
        `update conversations
         set running_summary = '', summarized_until = null
         where id = (select conversation_id from messages where id = $1)
           and ${seqOf('summarized_until')} >= ${seqOf('$1')}`,
        [messageId],
      )
      // What is indexed of its conversation has the old words.
      await db.query(
        `delete from indexed_conversations
         where conversation_id = (select conversation_id from messages where id = $1)`,
        [messageId],
      )
    },

    /** Oldest first: the first one is what the companion wrote. */
    async list(messageId: string): Promise<AnswerVersion[]> {
      const { rows } = await db.query<AnswerVersion>(
        `select version, body, citations, replaced_at
         from answer_versions
         where message_id = $1
         order by version`,
        [messageId],
      )
      return rows
    },
  }
}

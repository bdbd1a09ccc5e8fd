// What conversations are called and said to be about, by whom, and which of them a model has yet to describe.

import type { Queryable } from '../pool.ts'
import { type ConversationRow, conversationColumns, ownColumns } from './conversations.ts'
import { isShown } from './messages.ts'

type Description = {
  title: string | null
  summary: string
  by: 'words' | 'model'
  /** The turn for which nothing more is owed then. Default: what is owed stays. */
  settles?: string | null
}

/** A conversation after one of its turns. */
export type AfterTurnRow = ConversationRow & {
  turn_status: string
  turn_model: string | null
  /** The beginnings of the latest three questions, newest first. */
  questions: string[]
  /** The beginning of what that turn answered; empty where nothing came. */
  answer: string
  /** Whether its first turn began a research run: then it is titled by the question. */
  is_research: boolean
}

export function createConversationTitlesRepo(db: Queryable) {
  const first = async (text: string, values: unknown[]): Promise<ConversationRow | null> =>
    (await db.query<ConversationRow>(text, values)).rows[0] ?? null

  return {
    async rename(spaceId: string, id: string, title: string): Promise<ConversationRow | null> {
      return await first(
        `update conversations
         set title = $3, titled_by = 'owner'
         where space_id = $1 and id = $2 and deleted_at is null
         returning ${conversationColumns}`,
        [spaceId, id, title],
      )
    },

    /** Lets the companion title it again, and until then uses `words`; the turn after which it is to. */
    async handBackTitle(spaceId: string, id: string, words: string): Promise<string | null> {
      const { rows } = await db.query<{ naming_owed: string | null }>(
        `update conversations
         set title = $3, titled_by = 'words', naming_owed = (
           select id from turns where conversation_id = $2 and finished_at is not null order by arrival desc limit 1
         )
         where space_id = $1 and id = $2 and deleted_at is null
         returning naming_owed`,
        [spaceId, id, words],
      )
      return rows[0]?.naming_owed ?? null
    },

    /** The last turns of conversations that have been quiet since then and that a model has yet to describe. */
    async listNamingOwed(quietSince: Date, limit: number): Promise<{ id: string; naming_owed: string }[]> {
      const { rows } = await db.query<{ id: string; naming_owed: string }>(
        `select id, naming_owed
         from conversations
         where naming_owed is not null and deleted_at is null and last_activity_at < $1
         order by last_activity_at desc
         limit $2`,
        [quietSince, limit],
      )
      return rows
    },

    /** Gives it a summary and, where `title` is given and the owner has not named it, a title. */
    async describe(
      spaceId: string,
      id: string,
      { title, summary, by, settles = null }: Description,
    ): Promise<ConversationRow | null> {
      return await first(
        `update conversations
         set summary = $4,
             title = case when titled_by = 'owner' or $3::text is null then title else $3 end,
             titled_by = case when titled_by = 'owner' or $3::text is null then titled_by else $5 end,
             naming_owed = case when naming_owed = $6 then null else naming_owed end
         where space_id = $1 and id = $2 and deleted_at is null
         returning ${conversationColumns}`,
        [spaceId, id, title, summary, by, settles],
      )
    },

    /** The conversation that a turn is in, and how that turn stands. */
    async findAfterTurn(turnId: string): Promise<AfterTurnRow | null> {
      const { rows } = await db.query<AfterTurnRow>(
        `select ${ownColumns.replaceAll(/\b(?=[a-z])/g, 'c.')}, null as imported_from, t.status as turn_status, t.model as turn_model,
           array(
             select left(body, 300)
             from messages
             where conversation_id = c.id and role = 'user' and ${isShown}
             order by seq desc
             limit 3
           ) as questions,
           coalesce((select left(body, 2000) from messages where turn_id = t.id and role = 'assistant'), '') as answer,
           exists (
             select
             from research_runs
             where conversation_id = c.id
               and first_turn_id = (select id from turns where conversation_id = c.id order by arrival limit 1)
           ) as is_research
         from turns t
         join conversations c on c.id = t.conversation_id
         where t.id = $1 and c.deleted_at is null
           and not exists (select from routines where routines.conversation_id = c.id)`,
        [turnId],
      )
      return rows[0] ?? null
    },
  }
}

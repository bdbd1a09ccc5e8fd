import { v7 as uuid } from 'uuid'
import type { Conversation } from '../../contract/companion/companion.ts'
import { type Actor, actorName } from '../../core/actor.ts'
import type { Queryable } from '../pool.ts'
import { isShown } from './messages.ts'

export type ConversationRow = Conversation & {
  /** The companion that it was with before that was deleted or left the Space. */
  former_agent_id: string | null
  /** Whose words the title is: the first ones said, a model's, or the owner's, which nobody overrides. */
  titled_by: 'words' | 'model' | 'owner'
  created_by: string
}

/** `current` are all but the deleted ones. */
export type ConversationFilter = 'current' | 'active' | 'archived' | 'deleted'

/** A conversation after one of its turns. */
export type AfterTurnRow = ConversationRow & {
  turn_status: string
  turn_model: string | null
  /** The beginnings of the latest three questions, newest first. */
  questions: string[]
  /** The beginning of what that turn answered; empty where nothing came. */
  answer: string
}

const columns = `id, space_id, agent_id, former_agent_id, model, title, summary, titled_by, status, created_by,
  started_at, last_activity_at`

export function createConversationsRepo(db: Queryable) {
  const first = async (text: string, values: unknown[]): Promise<ConversationRow | null> =>
    (await db.query<ConversationRow>(text, values)).rows[0] ?? null

  return {
    async find(spaceId: string, id: string): Promise<ConversationRow | null> {
      return await first(
        `select ${columns}
         from conversations
         where space_id = $1 and id = $2 and deleted_at is null`,
        [spaceId, id],
      )
    },

    /** Until the transaction ends, nobody else begins a turn in it, or has one wait there. */
    async lock(id: string): Promise<void> {
      await db.query('select from conversations where id = $1 for no key update', [id])
    },

    async findLocked(spaceId: string, id: string): Promise<ConversationRow | null> {
      const [, found] = await Promise.all([this.lock(id), this.find(spaceId, id)])
      return found
    },

    /** By id alone: for the owner, who may enter every Space. */
    async findAnywhere(id: string): Promise<ConversationRow | null> {
      return await first(
        `select ${columns}
         from conversations
         where id = $1 and deleted_at is null
           and exists (select from spaces where spaces.id = space_id and spaces.deleted_at is null)`,
        [id],
      )
    },

    /** The conversation in use: the active one with the latest activity. */
    async findLatest(spaceId: string, agentId: string): Promise<ConversationRow | null> {
      return await first(
        `select ${columns}
         from conversations
         where space_id = $1 and agent_id = $2 and status = 'active' and deleted_at is null
         order by last_activity_at desc, id desc
         limit 1`,
        [spaceId, agentId],
      )
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

    /** A new one, begun by the owner's own hand: the next message belongs to it. */
    async insertChosen(spaceId: string, agentId: string, actor: Actor): Promise<ConversationRow> {
      const { rows } = await db.query<ConversationRow>(
        `insert into conversations (id, space_id, agent_id, created_by, chosen_at)
         values ($1, $2, $3, $4, now())
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
      await db.query('select from spaces where id = $1 for no key update', [spaceId])
      return (await this.findLatest(spaceId, agentId)) ?? (await this.insert(spaceId, agentId, actor))
    },

    async rename(spaceId: string, id: string, title: string): Promise<ConversationRow | null> {
      return await first(
        `update conversations
         set title = $3, titled_by = 'owner'
         where space_id = $1 and id = $2 and deleted_at is null
         returning ${columns}`,
        [spaceId, id, title],
      )
    },

    /** Which model answers in it; `null`: that of its companion. */
    async chooseModel(spaceId: string, id: string, model: string | null): Promise<void> {
      await db.query(
        `update conversations
         set model = $3
         where space_id = $1 and id = $2 and deleted_at is null`,
        [spaceId, id, model],
      )
    },

    /** Gives what a companion has outside of `spaces` (`null`: everywhere) to another one, with what waits in it. */
    async handOver(agentId: string, heirId: string, spaces: readonly string[] | null): Promise<void> {
      await db.query(
        `with queued as (
           update turns
           set agent_id = $2
           where agent_id = $1 and status = 'queued' and ($3::uuid[] is null or space_id <> all($3))
         )
         update conversations
         set agent_id = $2, former_agent_id = $1
         where agent_id = $1 and ($3::uuid[] is null or space_id <> all($3))`,
        [agentId, heirId, spaces],
      )
    },

    /** Gives it a summary and, where `title` is given and the owner has not named it, a title. */
    async describe(
      spaceId: string,
      id: string,
      { title, summary, by }: { title: string | null; summary: string; by: 'words' | 'model' },
    ): Promise<ConversationRow | null> {
      return await first(
        `update conversations
         set summary = $4,
             title = case when titled_by = 'owner' or $3::text is null then title else $3 end,
             titled_by = case when titled_by = 'owner' or $3::text is null then titled_by else $5 end
         where space_id = $1 and id = $2 and deleted_at is null
         returning ${columns}`,
        [spaceId, id, title, summary, by],
      )
    },

    /** The conversation that a turn is in, and how that turn stands. */
    async findAfterTurn(turnId: string): Promise<AfterTurnRow | null> {
      const { rows } = await db.query<AfterTurnRow>(
        `select ${columns.replaceAll(/\b(?=[a-z])/g, 'c.')}, t.status as turn_status, t.model as turn_model,
           array(
             select left(body, 300)
             from messages
             where conversation_id = c.id and role = 'user' and ${isShown}
             order by seq desc
             limit 3
           ) as questions,
           coalesce((select left(body, 2000) from messages where turn_id = t.id and role = 'assistant'), '') as answer
         from turns t
         join conversations c on c.id = t.conversation_id
         where t.id = $1 and c.deleted_at is null`,
        [turnId],
      )
      return rows[0] ?? null
    },

    async hasMessages(id: string): Promise<boolean> {
      const { rowCount } = await db.query('select from messages where conversation_id = $1 limit 1', [id])
      return rowCount === 1
    },

    /** Hides it from the router, or shows it again. */
    async setArchived(spaceId: string, id: string, archived: boolean): Promise<ConversationRow | null> {
      return await first(
        `update conversations
         set status = $3
         where space_id = $1 and id = $2 and deleted_at is null
         returning ${columns}`,
        [spaceId, id, archived ? 'archived' : 'active'],
      )
    },

    /** Deletes it softly. `null` when it is unknown or deleted already. */
    async remove(spaceId: string, id: string): Promise<ConversationRow | null> {
      return await first(
        `update conversations
         set deleted_at = now()
         where space_id = $1 and id = $2 and deleted_at is null
         returning ${columns}`,
        [spaceId, id],
      )
    },

    /** Brings one back whose words are still there; one that is not deleted stays as it is. */
    async restore(spaceId: string, id: string): Promise<ConversationRow | null> {
      return await first(
        `update conversations
         set deleted_at = null
         where space_id = $1 and id = $2 and purged_at is null
         returning ${columns}`,
        [spaceId, id],
      )
    },

    /** Something is said in it; `title` is for one that has none. */
    async noteActivity(id: string, title: string): Promise<void> {
      await db.query(
        `update conversations
         set last_activity_at = now(), title = case when title = '' then $2 else title end
         where id = $1`,
        [id, title],
      )
    },

    /** Sets its last activity to what was last said in it, for one that lost or gained a message. */
    async settleActivity(spaceId: string, id: string): Promise<void> {
      await db.query(
        `update conversations
         set last_activity_at = coalesce(
           (select max(created_at) from messages where conversation_id = conversations.id), started_at)
         where space_id = $1 and id = $2`,
        [spaceId, id],
      )
    },

    /** Makes it the conversation in use, by the owner's own hand; an archived one comes back. */
    async bringForward(spaceId: string, id: string): Promise<ConversationRow | null> {
      return await first(
        `update conversations
         set last_activity_at = now(), chosen_at = now(), status = 'active'
         where space_id = $1 and id = $2 and deleted_at is null
         returning ${columns}`,
        [spaceId, id],
      )
    },

    /** Those that have begun, newest activity first; `words` are in the title, the summary or a message. */
    async search(
      spaceId: string,
      { words, filter, limit }: { words: string; filter: ConversationFilter; limit: number },
    ): Promise<ConversationRow[]> {
      const { rows } = await db.query<ConversationRow>(
        `select ${columns}
         from conversations
         where space_id = $1 and (deleted_at is not null) = ($3 = 'deleted')
           and ($3 in ('current', 'deleted') or status = $3)
           and exists (
             select from messages
             where conversation_id = conversations.id
               and ($2 = '' or strpos(lower(messages.body), lower($2)) > 0
                 or strpos(lower(title), lower($2)) > 0 or strpos(lower(summary), lower($2)) > 0)
           )
         order by last_activity_at desc, id desc
         limit $4`,
        [spaceId, words, filter, limit],
      )
      return rows
    },
  }
}

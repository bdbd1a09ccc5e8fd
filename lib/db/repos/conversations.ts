import { v7 as uuid } from 'uuid'
import type { Conversation } from '../../contract/companion/companion.ts'
import { type Actor, actorName } from '../../core/actor.ts'
import type { Queryable } from '../pool.ts'
import { isOwnConversation } from './imported_conversations.ts'

export type ConversationRow = Conversation & {
  /** The companion that it was with before that was deleted or left the Space. */
  former_agent_id: string | null
  /** Whose words the title is: the first ones said, a model's, or the owner's, which nobody overrides. */
  titled_by: 'words' | 'model' | 'owner'
  created_by: string
}

export type ConversationFilter = {
  /** `current` are all but the deleted ones. */
  status: 'current' | 'active' | 'archived' | 'deleted'
  /** Default: any. */
  label?: string
  /** Only flagged ones. Default: all. */
  flagged?: boolean
}

type Marks = {
  labels?: string[] | undefined
  flagged?: boolean | undefined
  model?: string | null | undefined
}

export const ownColumns = `id, space_id, agent_id, former_agent_id, model, title, summary, titled_by, status, labels, flagged,
  created_by, started_at, last_activity_at`

export const conversationColumns = `${ownColumns},
  (select product from imported_conversations where conversation_id = conversations.id) as imported_from`

/** The idempotency key of a turn that is an attempt at a run of a routine. */
export const runKey = ({ id, attempt }: { id: string; attempt: number }) => `routine:${id}:${attempt}`

/** The id of the run that a turn was an attempt at, by its `runKey`; null: of none. */
export const runOfTurn = `case
  when turns.idempotency_key ~ '^routine:[0-9a-f-]{36}:[0-9]+$' then substr(turns.idempotency_key, 9, 36)::uuid
end`

export function createConversationsRepo(db: Queryable) {
  const first = async (text: string, values: unknown[]): Promise<ConversationRow | null> =>
    (await db.query<ConversationRow>(text, values)).rows[0] ?? null

  return {
    /** The routines that turns are runs of, deleted ones too, by turn. */
    async listRoutines(turnIds: readonly string[]): Promise<Map<string, { id: string; name: string }>> {
      const { rows } = await db.query<{ turn_id: string; id: string; name: string }>(
        `select turns.id as turn_id, routines.id, name
         from turns
         join routine_runs on routine_runs.id = ${runOfTurn}
         join routines on routines.id = routine_runs.routine_id
         where turns.id = any($1)`,
        [turnIds],
      )
      return new Map(rows.map(({ turn_id, ...routine }) => [turn_id, routine]))
    },

    async find(spaceId: string, id: string): Promise<ConversationRow | null> {
      return await first(
        `select ${conversationColumns}
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
        `select ${conversationColumns}
         from conversations
         where id = $1 and deleted_at is null
           and exists (select from spaces where spaces.id = space_id and spaces.deleted_at is null)`,
        [id],
      )
    },

    /** The conversation in use: the active one with the latest activity. */
    async findLatest(spaceId: string, agentId: string): Promise<ConversationRow | null> {
      return await first(
        `select ${conversationColumns}
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
         returning ${conversationColumns}`,
        [uuid(), spaceId, agentId, actorName(actor)],
      )
      return rows[0]!
    },

    /** A new one, begun by the owner's own hand: the next message belongs to it. */
    async insertChosen(spaceId: string, agentId: string, actor: Actor): Promise<ConversationRow> {
      const { rows } = await db.query<ConversationRow>(
        `insert into conversations (id, space_id, agent_id, created_by, chosen_at)
         values ($1, $2, $3, $4, now())
         returning ${conversationColumns}`,
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

    /** What is absent stays. `model`: which one answers in it; `null`: that of its companion. */
    async mark(spaceId: string, id: string, { labels, flagged, model }: Marks): Promise<void> {
      await db.query(
        `update conversations
         set labels = coalesce($3::text[], labels), flagged = coalesce($4, flagged),
             model = case when $5 then model else $6 end
         where space_id = $1 and id = $2 and deleted_at is null`,
        [spaceId, id, labels ?? null, flagged ?? null, model === undefined, model ?? null],
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

    async hasMessages(id: string): Promise<boolean> {
      const { rowCount } = await db.query('select from messages where conversation_id = $1 limit 1', [id])
      return rowCount === 1
    },

    /** Hides it from the router, or shows it again. */
    async setArchived(spaceId: string, id: string, archived: boolean): Promise<ConversationRow | null> {
      return await first(
        `update conversations
         set status = $3
         where space_id = $1 and id = $2 and deleted_at is null and ${isOwnConversation('$2')}
         returning ${conversationColumns}`,
        [spaceId, id, archived ? 'archived' : 'active'],
      )
    },

    /** Deletes it softly. `null` when it is unknown or deleted already. */
    async remove(spaceId: string, id: string): Promise<ConversationRow | null> {
      return await first(
        `update conversations
         set deleted_at = now()
         where space_id = $1 and id = $2 and deleted_at is null
         returning ${conversationColumns}`,
        [spaceId, id],
      )
    },

    /** Brings one back whose words are still there; one that is not deleted stays as it is. */
    async restore(spaceId: string, id: string): Promise<ConversationRow | null> {
      return await first(
        `update conversations
         set deleted_at = null
         where space_id = $1 and id = $2 and purged_at is null
         returning ${conversationColumns}`,
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
         where space_id = $1 and id = $2 and deleted_at is null and ${isOwnConversation('$2')}
         returning ${conversationColumns}`,
        [spaceId, id],
      )
    },

    /** Those that have begun, newest activity first; `words` are in the title, the summary or a message. */
    async search(
      spaceId: string,
      {
        words,
        status,
        label = '',
        flagged = false,
        limit,
      }: ConversationFilter & { words: string; limit: number },
    ): Promise<ConversationRow[]> {
      const { rows } = await db.query<ConversationRow>(
        `select ${conversationColumns}
         from conversations
         where space_id = $1 and (deleted_at is not null) = ($3 = 'deleted')
           and ($3 in ('current', 'deleted') or status = $3)
           and ($5 = '' or lower($5) = any (lower(labels::text)::text[])) and (flagged or not $6)
           and exists (
             select from messages
             where conversation_id = conversations.id
               and ($2 = '' or strpos(lower(messages.body), lower($2)) > 0
                 or strpos(lower(title), lower($2)) > 0 or strpos(lower(summary), lower($2)) > 0)
           )
         order by last_activity_at desc, id desc
         limit $4`,
        [spaceId, words, status, limit, label, flagged],
      )
      return rows
    },
  }
}

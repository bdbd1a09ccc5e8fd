import type { Queryable } from '../pool.ts'
import { type EventRow, toColumns } from './turn_events.ts'
import { type Asked, type LeaseTerms, type NewTurn, type TurnRow, turnColumns } from './turns.ts'

export type QueuedTurn = TurnRow & { asked: Asked }

export type PromotedTurn = QueuedTurn & { message_id: string }

/** `undefined` leaves what was said of it before. */
export type EditedMessage = Pick<Asked, 'text'> & { [Name in 'view' | 'desk']?: Asked[Name] | undefined }

const toJson = (value: unknown) => (value === undefined ? null : JSON.stringify(value))

/** Messages that wait for the turns before them, in the order in which they came. */
export function createQueuedTurnsRepo(db: Queryable) {
  return {
    /** Makes callers that queue in one conversation take turns. In a transaction. */
    async lockConversation(conversationId: string): Promise<void> {
      await db.query('select from conversations where id = $1 for update', [conversationId])
    },

    async insert(turn: NewTurn, asked: Asked, events: readonly EventRow[]): Promise<TurnRow> {
      const { rows } = await db.query<TurnRow>(
        `with turn as (
           insert into turns
             (id, space_id, conversation_id, agent_id, status, idempotency_key, body_hash, model, asked)
           values ($1, $2, $3, $4, 'queued', $5, $6, $7, $8)
           returning ${turnColumns}
         ), event as (
           insert into turn_events (turn_id, seq, type, data)
           select $1, seq, type, data
           from unnest($9::integer[], $10::text[], $11::text[]) as event (seq, type, data)
         )
         select ${turnColumns} from turn`,
        [
          turn.id,
          turn.space_id,
          turn.conversation_id,
          turn.agent_id,
          turn.idempotency_key,
          turn.body_hash,
          turn.model,
          JSON.stringify(asked),
          ...toColumns(events),
        ],
      )
      return rows[0]!
    },

    /** Those that wait in a conversation, the next one first. */
    async list(conversationId: string): Promise<QueuedTurn[]> {
      const { rows } = await db.query<QueuedTurn>(
        `select ${turnColumns}, asked
         from turns
         where conversation_id = $1 and status = 'queued'
         order by arrival`,
        [conversationId],
      )
      return rows
    },

    /** Other words for a message that waits; what is left out stays. `null` when it no longer waits. */
    async edit(id: string, { text, ...rest }: EditedMessage): Promise<QueuedTurn | null> {
      const { rows } = await db.query<QueuedTurn>(
        `update turns
         set asked = json_build_object(
           'text', $2::text, 'view', coalesce($3::json, asked -> 'view'), 'desk', coalesce($4::json, asked -> 'desk'),
           'research', asked -> 'research', 'mentions', asked -> 'mentions', 'attachments', asked -> 'attachments'
         )
         where id = $1 and status = 'queued'
         returning ${turnColumns}, asked`,
        [id, text, toJson(rest.view), toJson(rest.desk)],
      )
      return rows[0] ?? null
    },

    /** Ends a turn that has not begun; `event` is the last that its readers are told. `null` when it has begun. */
    async withdraw(id: string, event: EventRow): Promise<TurnRow | null> {
      const { rows } = await db.query<TurnRow>(
        `with withdrawn as (
           update turns
           set status = 'stopped', stop_reason = 'withdrawn', asked = null, finished_at = now()
           where id = $1 and status = 'queued'
           returning ${turnColumns}
         ), event as (
           insert into turn_events (turn_id, seq, type, data)
           select id, $2::integer, $3, $4
           from withdrawn
         )
         select ${turnColumns} from withdrawn`,
        [id, event.seq, event.type, event.data],
      )
      return rows[0] ?? null
    },

    /** How many wait, in all conversations. */
    async count(): Promise<number> {
      const { rows } = await db.query<{ count: number }>(
        "select count(*)::integer as count from turns where status = 'queued'",
      )
      return rows[0]!.count
    },

    /** Conversations in which something waits and nothing runs, those that wait the longest first. */
    async listIdle(limit: number): Promise<string[]> {
      const { rows } = await db.query<{ conversation_id: string }>(
        `select conversation_id
         from turns
         where status = 'queued'
           and not exists (
             select from turns as other
             where other.conversation_id = turns.conversation_id and other.status = 'running'
           )
         group by conversation_id
         order by min(arrival)
         limit $1`,
        [limit],
      )
      return rows.map(({ conversation_id }) => conversation_id)
    },

    /**
     * Starts the next turn of a conversation: its message, with the id `messageId`, becomes one of the conversation.
     * `null` when nothing waits or something runs. Rejects with a unique violation of `turns_one_running` when something
     * else began in the same moment.
     */
    async promote(
      conversationId: string,
      { owner, seconds }: LeaseTerms,
      messageId: string,
    ): Promise<PromotedTurn | null> {
      const { rows } = await db.query<PromotedTurn & Pick<Asked, 'research'>>(
        `with next as (
           select id, asked, coalesce(nullif(asked ->> 'research', '')::json, (
             -- A research run that waits by now holds the conversation, whenever the message was sent.
             select json_build_object('run_id', run.id, 'go_on', false, 'plan', null, 'budget', null)
             from research_runs as run
             where run.conversation_id = $1 and run.status = 'paused'
           )) as research
           from turns
           where conversation_id = $1 and status = 'queued'
             and not exists (
               select from turns as other
               where other.conversation_id = $1 and other.status = 'running'
             )
           order by arrival
           limit 1
           for update skip locked
         ), turn as (
           update turns
           set status = 'running', asked = null, lease_owner = $2,
             lease_until = now() + make_interval(secs => $3)
           from next
           where turns.id = next.id
           returning ${turnColumns.replaceAll(/\b(?=[a-z])/g, 'turns.')}
         ), message as (
           insert into messages (id, conversation_id, turn_id, role, body, metadata)
           select $4::uuid, $1::uuid, id, 'user', asked ->> 'text',
             json_strip_nulls(json_build_object(
               'view', asked -> 'view', 'desk', asked -> 'desk', 'mentions', asked -> 'mentions',
               'attachments', asked -> 'attachments', 'research', research
             ))
           from next
         ), activity as (
           update conversations
           set last_activity_at = now()
           where id = $1 and exists (select from next)
         )
         select turn.*, next.asked, next.research, $4::uuid as message_id
         from turn
         join next on next.id = turn.id`,
        [conversationId, owner, seconds, messageId],
      )
      if (!rows[0]) return null
      const { research, asked, ...turn } = rows[0]
      return { ...turn, asked: { ...asked, research } }
    },
  }
}

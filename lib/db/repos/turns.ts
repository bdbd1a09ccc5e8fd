// Turns, each a row that goes through these states:
//
//   insert ──► queued ── begin ──► running ── finish (turn_steps.ts) ──► done, failed or stopped
//     │          └── withdraw ──► stopped
//     └──────────────────────────► running
//
// A queued turn holds its message; with `begin` that becomes one of the conversation. A running turn is held under a
// lease by the server that runs it, which renews it. A lease that ran out, or was released, is claimed by any server with
// the next attempt number. Who begins a turn in a conversation, or has one wait there, locks the conversation first, and
// at most one turn runs in it (unique index `turns_one_running`).

import type { MessageContext, UserMessage } from '../../contract/companion/companion.ts'
import type { Turn } from '../../contract/companion/turns.ts'
import type { Queryable } from '../pool.ts'
import { type EventRow, isHeld, type Lease, toColumns } from './turn_steps.ts'

/** `handovers`: how many of its attempts ended with an orderly stop of their server. */
export type TurnRow = Turn & { body_hash: string; handovers: number }

/** With the message that waits. */
export type QueuedTurn = TurnRow & { message: UserMessage }

/** Other values for fields of a message; `null`: none. */
export type MessageChanges = { text: string } & {
  [Name in keyof MessageContext]?: MessageContext[Name] | null
}

export type NewTurn = Pick<
  TurnRow,
  'id' | 'space_id' | 'conversation_id' | 'agent_id' | 'idempotency_key' | 'body_hash' | 'model'
>

/** A new lease: whose, and how long it holds without a sign of life. */
export type LeaseTerms = {
  owner: string
  seconds: number
  /** Turns that the owner runs now: however late their renewal is, it does not take them for a dead server's. */
  running?: () => readonly string[]
}

export type Held = { id: string; attempt: number; stop_requested: boolean }

/** Of a queued turn: its conversation and its Space are there. One in the trash waits until that is restored. */
const isPlaced = `exists (
             select from conversations join spaces on spaces.id = conversations.space_id
             where conversations.id = turns.conversation_id
               and coalesce(conversations.deleted_at, spaces.deleted_at) is null
           )`

const columns = `id, space_id, conversation_id, agent_id, status, idempotency_key, body_hash, attempt, handovers, model,
  stop_reason, usage, error, stop_requested_at, created_at, finished_at`

export function createTurnsRepo(db: Queryable) {
  const first = async <Row extends TurnRow>(text: string, values: unknown[]): Promise<Row | null> =>
    (await db.query<Row>(text, values)).rows[0] ?? null

  return {
    async find(id: string): Promise<TurnRow | null> {
      return await first(`select ${columns} from turns where id = $1`, [id])
    },

    async findByIdempotencyKey(spaceId: string, key: string): Promise<TurnRow | null> {
      return await first(
        `select ${columns}
         from turns
         where id = coalesce(
           (select id from turns where space_id = $1 and idempotency_key = $2),
           (select turn_id from forwarded_turns where space_id = $1 and idempotency_key = $2)
         )`,
        [spaceId, key],
      )
    },

    /** What runs in a conversation, or else what waits in it next. */
    async findOpen(conversationId: string): Promise<TurnRow | null> {
      return await first(
        `select ${columns}
         from turns
         where conversation_id = $1 and status in ('queued', 'running')
         order by status desc, arrival
         limit 1`,
        [conversationId],
      )
    },

    /** The ids of what an agent is answering. */
    async listRunningOfAgent(agentId: string): Promise<string[]> {
      const { rows } = await db.query<{ id: string }>(
        "select id from turns where agent_id = $1 and status = 'running'",
        [agentId],
      )
      return rows.map(({ id }) => id)
    },

    /** A turn that runs under a lease, or waits with its message, and the first events of its log. */
    async insert(
      turn: NewTurn,
      state: { lease: LeaseTerms } | { message: UserMessage },
      events: readonly EventRow[],
    ): Promise<TurnRow> {
      const lease = 'lease' in state ? state.lease : null
      const inserted = await first(
        `with turn as (
           insert into turns
             (id, space_id, conversation_id, agent_id, idempotency_key, body_hash, model, status, asked, lease_owner,
              lease_until)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now() + make_interval(secs => $11))
           returning ${columns}
         ), event as (
           insert into turn_events (turn_id, seq, type, data)
           select $1, seq, type, data
           from unnest($12::integer[], $13::text[], $14::text[]) as event (seq, type, data)
         )
         select ${columns} from turn`,
        [
          turn.id,
          turn.space_id,
          turn.conversation_id,
          turn.agent_id,
          turn.idempotency_key,
          turn.body_hash,
          turn.model,
          lease ? 'running' : 'queued',
          'message' in state ? JSON.stringify(state.message) : null,
          lease?.owner ?? null,
          lease?.seconds ?? null,
          ...toColumns(events),
        ],
      )
      return inserted!
    },

    /** Those that wait in a conversation, the next one first. */
    async listQueued(conversationId: string): Promise<QueuedTurn[]> {
      const { rows } = await db.query<QueuedTurn>(
        `select ${columns}, asked as message
         from turns
         where conversation_id = $1 and status = 'queued'
         order by arrival`,
        [conversationId],
      )
      return rows
    },

    /** How many wait, in all conversations. */
    async countQueued(): Promise<number> {
      const { rows } = await db.query<{ count: number }>(
        "select count(*)::integer as count from turns where status = 'queued'",
      )
      return rows[0]!.count
    },

    /** Conversations in which something waits and nothing runs, those that wait the longest first; none in the trash. */
    async listIdle(limit: number): Promise<string[]> {
      const { rows } = await db.query<{ conversation_id: string }>(
        `select conversation_id
         from turns
         where status = 'queued' and ${isPlaced}
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

    /** Changes a message that waits. `null` when it no longer waits. */
    async edit(id: string, changes: MessageChanges): Promise<QueuedTurn | null> {
      return await first<QueuedTurn>(
        `update turns
         set asked = (asked::jsonb || $2::jsonb)::json
         where id = $1 and status = 'queued'
         returning ${columns}, asked as message`,
        [id, JSON.stringify(changes)],
      )
    },

    /** Ends a turn that has not begun; `event` is the last that its readers are told. `null` when it has begun. */
    async withdraw(id: string, event: EventRow): Promise<TurnRow | null> {
      return await first(
        `with withdrawn as (
           update turns
           set status = 'stopped', stop_reason = 'withdrawn', asked = null, finished_at = now()
           where id = $1 and status = 'queued'
           returning ${columns}
         ), event as (
           insert into turn_events (turn_id, seq, type, data)
           select id, $2::integer, $3, $4
           from withdrawn
         )
         select ${columns} from withdrawn`,
        [id, event.seq, event.type, event.data],
      )
    },

    /** The next turn of a conversation, which runs from now on. `null` when nothing waits, something runs, or it is in the trash. */
    async begin(conversationId: string, { owner, seconds }: LeaseTerms): Promise<QueuedTurn | null> {
      return await first<QueuedTurn>(
        `with next as (
           select id as next_id, asked as message
           from turns
           where conversation_id = $1 and status = 'queued' and ${isPlaced}
             and not exists (
               select from turns as other
               where other.conversation_id = $1 and other.status = 'running'
             )
           order by arrival
           limit 1
           for update skip locked
         )
         update turns
         set status = 'running', asked = null, lease_owner = $2, lease_until = now() + make_interval(secs => $3)
         from next
         where id = next_id
         returning ${columns}, message`,
        [conversationId, owner, seconds],
      )
    },

    /** Notes that the owner wants it stopped. `null` when it has already ended, or never was. */
    async requestStop(id: string): Promise<TurnRow | null> {
      return await first(
        `update turns
         set stop_requested_at = coalesce(stop_requested_at, now())
         where id = $1 and status = 'running'
         returning ${columns}`,
        [id],
      )
    },

    /**
     * Holds the leases of these turns for longer. Those that are missing in the answer are no longer this owner's. Their
     * rows are locked in the order in which events are stored.
     */
    async renew({ owner, seconds }: LeaseTerms, turnIds: readonly string[]): Promise<Held[]> {
      const { rows } = await db.query<Held>(
        `with held as (
           select id
           from turns
           where id = any($1) and lease_owner = $2 and ${isHeld}
           order by id
           for no key update
         )
         update turns
         set lease_until = now() + make_interval(secs => $3)
         from held
         where turns.id = held.id
         returning turns.id, attempt, stop_requested_at is not null as stop_requested`,
        [turnIds, owner, seconds],
      )
      return rows
    },

    /**
     * Takes over running turns (of one conversation, or of all) whose runner has not been heard of, each with the next
     * attempt number.
     */
    async claimExpired(
      { owner, seconds, running = () => [] }: LeaseTerms,
      conversationId: string | null,
      limit: number,
    ): Promise<TurnRow[]> {
      const { rows } = await db.query<TurnRow>(
        `update turns
         set attempt = attempt + 1, lease_owner = $1, lease_until = now() + make_interval(secs => $2)
         where id in (
           select id
           from turns
           where status = 'running' and lease_until < now() and ($3::uuid is null or conversation_id = $3)
             and not (id = any($5))
           order by arrival
           limit $4
           for update skip locked
         )
         returning ${columns}`,
        [owner, seconds, conversationId, limit, running()],
      )
      return rows
    },

    /** For a server that is alone on its database: whoever ran a turn before it is dead. */
    async expireAll(): Promise<void> {
      await db.query("update turns set lease_until = now() - interval '1 second' where status = 'running'")
    },

    /** Hands a turn over: another server may claim it at once, and it counts as no failed attempt. */
    async release({ turn_id, attempt, owner }: Lease): Promise<void> {
      await db.query(
        `update turns
         set lease_until = now() - interval '1 second', handovers = handovers + 1
         where id = $1 and attempt = $2 and lease_owner = $3 and ${isHeld}`,
        [turn_id, attempt, owner],
      )
    },
  }
}

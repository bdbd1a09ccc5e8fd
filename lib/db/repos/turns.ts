import type { AttachedFile, Mention } from '../../contract/companion/companion.ts'
import type { OpenDesk, Viewed } from '../../contract/companion/open-desk.ts'
import type { Turn } from '../../contract/companion/turns.ts'
import type { ResearchAsk } from '../../contract/research.ts'
import type { Queryable } from '../pool.ts'
import { type FinishedSteps, stepInserts } from './step_row.ts'
import { type EventRow, toColumns } from './turn_events.ts'

/** What the owner said, with what they were looking at and the tabs that were open. */
export type Asked = {
  text: string
  view: Viewed | null
  desk: OpenDesk | null
  /** The pages that it names; left out: none. */
  mentions?: readonly Mention[] | null
  /** The files that came with it; left out: none. */
  attachments?: readonly AttachedFile[] | null
  /** What it has to do with research; left out: nothing. */
  research?: ResearchAsk | null
}

/** `handovers`: how many of its attempts ended with an orderly stop of their server. */
export type TurnRow = Turn & { body_hash: string; handovers: number }

/**
 * Besides its owner's name: that a turn runs. Only one that runs or has ended has an owner; by its `status` the planner
 * would go through all that run, which it takes for a few, instead of looking up the one.
 */
export const isHeld = 'finished_at is null'

/** Who runs a turn. The attempt is the fencing token: a write that names an older one is refused. */
export type Lease = { turn_id: string; attempt: number; owner: string }

export type NewTurn = Pick<
  TurnRow,
  'id' | 'space_id' | 'conversation_id' | 'agent_id' | 'idempotency_key' | 'body_hash' | 'model'
>

/** A new lease: whose, and how long it holds without a sign of life. */
export type LeaseTerms = { owner: string; seconds: number }

export type TurnEnd = Pick<TurnRow, 'stop_reason' | 'usage' | 'error'> & {
  status: 'done' | 'failed' | 'stopped'
  duration_ms: number | null
}

export const turnColumns = `id, space_id, conversation_id, agent_id, status, idempotency_key, body_hash, attempt, handovers, model,
  stop_reason, usage, error, stop_requested_at, created_at, finished_at`

/** Turns and their steps. At most one turn runs in a conversation (unique index `turns_one_running`). */
export function createTurnsRepo(db: Queryable) {
  return {
    async find(id: string): Promise<TurnRow | null> {
      const { rows } = await db.query<TurnRow>(`select ${turnColumns} from turns where id = $1`, [id])
      return rows[0] ?? null
    },

    async findRunning(conversationId: string): Promise<TurnRow | null> {
      const { rows } = await db.query<TurnRow>(
        `select ${turnColumns}
         from turns
         where conversation_id = $1 and status = 'running'`,
        [conversationId],
      )
      return rows[0] ?? null
    },

    /** The ids of what an agent is answering. */
    async listRunningOfAgent(agentId: string): Promise<string[]> {
      const { rows } = await db.query<{ id: string }>(
        "select id from turns where agent_id = $1 and status = 'running'",
        [agentId],
      )
      return rows.map(({ id }) => id)
    },

    /** What runs in a conversation, or else what waits in it next. */
    async findOpen(conversationId: string): Promise<TurnRow | null> {
      const { rows } = await db.query<TurnRow>(
        `select ${turnColumns}
         from turns
         where conversation_id = $1 and status in ('queued', 'running')
         order by status desc, arrival
         limit 1`,
        [conversationId],
      )
      return rows[0] ?? null
    },

    async findByIdempotencyKey(spaceId: string, key: string): Promise<TurnRow | null> {
      const { rows } = await db.query<TurnRow>(
        `select ${turnColumns}
         from turns
         where space_id = $1 and idempotency_key = $2`,
        [spaceId, key],
      )
      return rows[0] ?? null
    },

    /** Notes that the owner wants it stopped. `null` when it has already ended, or never was. */
    async requestStop(id: string): Promise<TurnRow | null> {
      const { rows } = await db.query<TurnRow>(
        `update turns
         set stop_requested_at = coalesce(stop_requested_at, now())
         where id = $1 and status = 'running'
         returning ${turnColumns}`,
        [id],
      )
      return rows[0] ?? null
    },

    /**
     * Ends a running turn and stores its last steps, its answer and its last events, with the conversation's activity, in
     * one statement. `queued`: another message waits in the conversation. `null` when the turn had already ended or the
     * lease is no longer held: then nothing is stored.
     */
    async finishWithAnswer(
      lease: Lease,
      outcome: TurnEnd,
      answer: { id: string; body: string; metadata: Record<string, unknown> },
      { events, steps, calls }: FinishedSteps & { events: readonly EventRow[] },
    ): Promise<{ queued: boolean } | null> {
      const { rows } = await db.query<{ queued: boolean }>(
        `with ended as (
           update turns
           set status = $4, stop_reason = $5, usage = $6, error = $7, duration_ms = $14, finished_at = now(),
               lease_until = null
           where id = $1 and attempt = $2 and lease_owner = $3 and ${isHeld}
           returning id, conversation_id, agent_id
         ), event as (
           insert into turn_events (turn_id, seq, type, data)
           select ended.id, event.seq, event.type, event.data
           from ended, unnest($11::integer[], $12::text[], $13::text[]) as event (seq, type, data)
         ), ${stepInserts('ended', '$15', '$16')}, message as (
           insert into messages (id, conversation_id, turn_id, role, body, agent_id, metadata)
           select $8::uuid, conversation_id, id, 'assistant', $9::text, agent_id, $10::json
           from ended
         ), activity as (
           update conversations
           set last_activity_at = now()
           from ended
           where conversations.id = ended.conversation_id
         )
         select exists (
           select from turns where turns.conversation_id = ended.conversation_id and status = 'queued'
         ) as queued
         from ended`,
        [
          lease.turn_id,
          lease.attempt,
          lease.owner,
          outcome.status,
          outcome.stop_reason,
          outcome.usage,
          outcome.error,
          answer.id,
          answer.body,
          JSON.stringify(answer.metadata),
          ...toColumns(events),
          outcome.duration_ms,
          JSON.stringify(steps),
          JSON.stringify(calls),
        ],
      )
      return rows[0] ?? null
    },

    /** Whether this message is the stored answer of a turn. */
    async isAnswer(id: string, messageId: string): Promise<boolean> {
      const { rowCount } = await db.query('select from messages where id = $2 and turn_id = $1', [
        id,
        messageId,
      ])
      return rowCount === 1
    },
  }
}

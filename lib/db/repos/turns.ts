import type { Usage } from '../../ai/model.ts'
import type { OpenDesk } from '../../contract/open-desk.ts'
import type { Queryable } from '../pool.ts'
import { type EventRow, toColumns } from './turn_events.ts'
import { type StepRow, stepValues } from './turn_steps.ts'

export type TurnStatus = 'queued' | 'running' | 'done' | 'failed' | 'stopped'

/** What the owner said, with what they were looking at and the tabs that were open. */
export type Asked = {
  text: string
  view: { entityType: string; entityId: string } | null
  desk: OpenDesk | null
}

export type TurnError = { code: string; message: string; retryable: boolean }

export type TurnRow = {
  id: string
  space_id: string
  conversation_id: string
  agent_id: string
  status: TurnStatus
  idempotency_key: string | null
  body_hash: string
  attempt: number
  model: string | null
  stop_reason: string | null
  usage: Usage | null
  error: TurnError | null
  stop_requested_at: string | null
  created_at: string
  finished_at: string | null
}

/** Who runs a turn. The attempt is the fencing token: a write that names an older one is refused. */
export type Lease = { turn_id: string; attempt: number; owner: string }

export type NewTurn = Pick<
  TurnRow,
  'id' | 'space_id' | 'conversation_id' | 'agent_id' | 'idempotency_key' | 'body_hash' | 'model'
>

/** A new lease: whose, and how long it holds without a sign of life. */
export type LeaseTerms = { owner: string; seconds: number }

export type AskedMessage = { id: string; body: string; metadata: Record<string, unknown>; title: string }

export type TurnEnd = Pick<TurnRow, 'stop_reason' | 'usage' | 'error'> & {
  status: 'done' | 'failed' | 'stopped'
  duration_ms: number | null
}

export const turnColumns = `id, space_id, conversation_id, agent_id, status, idempotency_key, body_hash, attempt, model,
  stop_reason, usage, error, stop_requested_at, created_at, finished_at`

export type TurnsRepo = ReturnType<typeof createTurnsRepo>

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

    /** What runs in a conversation, or else what waits in it next. */
    async findOpen(conversationId: string): Promise<TurnRow | null> {
      const { rows } = await db.query<TurnRow>(
        `select ${turnColumns}
         from turns
         where conversation_id = $1 and status in ('queued', 'running')
         order by status desc, id
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

    /**
     * The turn, the message that it answers, its first event and the conversation's activity, in one statement; `title`
     * is for a conversation that has none. Rejects with a unique violation of `turns_one_running` while another turn
     * runs.
     */
    async insertRunning(
      turn: NewTurn,
      terms: LeaseTerms,
      asked: AskedMessage,
      event: EventRow,
    ): Promise<TurnRow> {
      const { rows } = await db.query<TurnRow>(
        `with turn as (
           insert into turns
             (id, space_id, conversation_id, agent_id, status, idempotency_key, body_hash, model, lease_owner,
              lease_until)
           values ($1, $2, $3, $4, 'running', $5, $6, $7, $8, now() + make_interval(secs => $9))
           returning ${turnColumns}
         ), event as (
           insert into turn_events (turn_id, seq, type, data)
           values ($1, $14, $15, $16)
         ), message as (
           insert into messages (id, conversation_id, turn_id, role, body, metadata)
           values ($10, $3, $1, 'user', $11, $12)
         ), activity as (
           update conversations
           set last_activity_at = now(), title = case when title = '' then $13 else title end
           where id = $3
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
          terms.owner,
          terms.seconds,
          asked.id,
          asked.body,
          JSON.stringify(asked.metadata),
          asked.title,
          event.seq,
          event.type,
          event.data,
        ],
      )
      return rows[0]!
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
     * Ends a running turn and stores its last step, its answer and its last events, with the conversation's activity, in
     * one statement. `false` when the turn had already ended or the lease is no longer held: then nothing is stored.
     */
    async finishWithAnswer(
      lease: Lease,
      outcome: TurnEnd,
      answer: { id: string; body: string; metadata: Record<string, unknown> },
      { events, step }: { events: readonly EventRow[]; step: StepRow | null },
    ): Promise<boolean> {
      const { rowCount } = await db.query(
        `with ended as (
           update turns
           set status = $4, stop_reason = $5, usage = $6, error = $7, duration_ms = $14, finished_at = now(),
               lease_until = null
           where id = $1 and status = 'running' and attempt = $2 and lease_owner = $3
           returning id, conversation_id, agent_id
         ), event as (
           insert into turn_events (turn_id, seq, type, data)
           select ended.id, event.seq, event.type, event.data
           from ended, unnest($11::integer[], $12::text[], $13::text[]) as event (seq, type, data)
         ), step as (
           insert into turn_steps (turn_id, seq, role, content, stop_reason, usage, event_seq)
           select id, $15::integer, $16, $17, $18, $19::json, $20::integer
           from ended
           where $15 is not null
         ), message as (
           insert into messages (id, conversation_id, turn_id, role, body, agent_id, metadata)
           select $8::uuid, conversation_id, id, 'assistant', $9::text, agent_id, $10::json
           from ended
         ), activity as (
           update conversations
           set last_activity_at = now()
           from ended
           where conversations.id = ended.conversation_id
         )
         select from ended`,
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
          ...stepValues(step),
        ],
      )
      return rowCount === 1
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

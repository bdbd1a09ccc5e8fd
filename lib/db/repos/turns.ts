import type { Usage } from '../../ai/model.ts'
import type { Queryable } from '../pool.ts'

export type TurnStatus = 'queued' | 'running' | 'done' | 'failed' | 'stopped'

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
  created_at: string
  finished_at: string | null
}

export type NewTurn = Pick<
  TurnRow,
  'id' | 'space_id' | 'conversation_id' | 'agent_id' | 'idempotency_key' | 'body_hash' | 'model'
> & { lease_owner: string; lease_seconds: number }

export type AskedMessage = { id: string; body: string; metadata: Record<string, unknown>; title: string }

export type TurnEnd = Pick<TurnRow, 'stop_reason' | 'usage' | 'error'> & {
  status: 'done' | 'failed' | 'stopped'
}

export type StepRow = { turn_id: string; seq: number; role: 'user' | 'assistant'; content: string }

const columns = `id, space_id, conversation_id, agent_id, status, idempotency_key, body_hash, attempt, model,
  stop_reason, usage, error, created_at, finished_at`

export type TurnsRepo = ReturnType<typeof createTurnsRepo>

/** Turns and their steps. At most one turn runs in a conversation (unique index `turns_one_running`). */
export function createTurnsRepo(db: Queryable) {
  return {
    async find(id: string): Promise<TurnRow | null> {
      const { rows } = await db.query<TurnRow>(`select ${columns} from turns where id = $1`, [id])
      return rows[0] ?? null
    },

    async findRunning(conversationId: string): Promise<TurnRow | null> {
      const { rows } = await db.query<TurnRow>(
        `select ${columns}
         from turns
         where conversation_id = $1 and status = 'running'`,
        [conversationId],
      )
      return rows[0] ?? null
    },

    async findByIdempotencyKey(spaceId: string, key: string): Promise<TurnRow | null> {
      const { rows } = await db.query<TurnRow>(
        `select ${columns}
         from turns
         where space_id = $1 and idempotency_key = $2`,
        [spaceId, key],
      )
      return rows[0] ?? null
    },

    /**
     * The turn, the message that it answers and the conversation's activity, in one statement; `title` is for a
     * conversation that has none. Rejects with a unique violation of `turns_one_running` while another turn runs.
     */
    async insertRunning(turn: NewTurn, asked: AskedMessage): Promise<TurnRow> {
      const { rows } = await db.query<TurnRow>(
        `with turn as (
           insert into turns
             (id, space_id, conversation_id, agent_id, status, idempotency_key, body_hash, model, lease_owner,
              lease_until)
           values ($1, $2, $3, $4, 'running', $5, $6, $7, $8, now() + make_interval(secs => $9))
           returning ${columns}
         ), message as (
           insert into messages (id, conversation_id, turn_id, role, body, metadata)
           values ($10, $3, $1, 'user', $11, $12)
         ), activity as (
           update conversations
           set last_activity_at = now(), title = case when title = '' then $13 else title end
           where id = $3
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
          turn.lease_owner,
          turn.lease_seconds,
          asked.id,
          asked.body,
          JSON.stringify(asked.metadata),
          asked.title,
        ],
      )
      return rows[0]!
    },

    /** Holds the lease for longer. `false` when the turn is no longer this owner's to run. */
    async renewLease(id: string, leaseOwner: string, leaseSeconds: number): Promise<boolean> {
      const { rowCount } = await db.query(
        `update turns
         set lease_until = now() + make_interval(secs => $3)
         where id = $1 and status = 'running' and lease_owner = $2`,
        [id, leaseOwner, leaseSeconds],
      )
      return rowCount === 1
    },

    /** Ends a running turn. `false` when it had already ended, or another owner runs it (`null`: any owner). */
    async finish(id: string, leaseOwner: string | null, outcome: TurnEnd): Promise<boolean> {
      const { rowCount } = await db.query(
        `update turns
         set status = $3, stop_reason = $4, usage = $5, error = $6, finished_at = now(), lease_until = null
         where id = $1 and status = 'running' and ($2::text is null or lease_owner = $2)`,
        [id, leaseOwner, outcome.status, outcome.stop_reason, outcome.usage, outcome.error],
      )
      return rowCount === 1
    },

    /**
     * Ends a running turn and stores its answer, with the conversation's activity, in one statement. `false` when the
     * turn had already ended or another owner runs it: then nothing is stored.
     */
    async finishWithAnswer(
      id: string,
      leaseOwner: string,
      outcome: TurnEnd,
      answer: { id: string; body: string; metadata: Record<string, unknown> },
    ): Promise<boolean> {
      const { rowCount } = await db.query(
        `with ended as (
           update turns
           set status = $3, stop_reason = $4, usage = $5, error = $6, finished_at = now(), lease_until = null
           where id = $1 and status = 'running' and lease_owner = $2
           returning id, conversation_id, agent_id
         ), message as (
           insert into messages (id, conversation_id, turn_id, role, body, agent_id, metadata)
           select $7::uuid, conversation_id, id, 'assistant', $8::text, agent_id, $9::json
           from ended
         ), activity as (
           update conversations
           set last_activity_at = now()
           from ended
           where conversations.id = ended.conversation_id
         )
         select from ended`,
        [
          id,
          leaseOwner,
          outcome.status,
          outcome.stop_reason,
          outcome.usage,
          outcome.error,
          answer.id,
          answer.body,
          JSON.stringify(answer.metadata),
        ],
      )
      return rowCount === 1
    },

    /** Running turns of a conversation (`null`: of all) whose runner has not been heard of. Locks them. */
    async lockAbandoned(conversationId: string | null): Promise<TurnRow[]> {
      const { rows } = await db.query<TurnRow>(
        `select ${columns}
         from turns
         where status = 'running' and lease_until < now() and ($1::uuid is null or conversation_id = $1)
         for update skip locked`,
        [conversationId],
      )
      return rows
    },

    async insertStep(step: StepRow): Promise<void> {
      await db.query('insert into turn_steps (turn_id, seq, role, content) values ($1, $2, $3, $4)', [
        step.turn_id,
        step.seq,
        step.role,
        step.content,
      ])
    },

    /** The steps of the given turns, in order. */
    async listSteps(turnIds: readonly string[]): Promise<StepRow[]> {
      const { rows } = await db.query<StepRow>(
        `select turn_id, seq, role, content
         from turn_steps
         where turn_id = any($1)
         order by turn_id, seq`,
        [turnIds],
      )
      return rows
    },
  }
}

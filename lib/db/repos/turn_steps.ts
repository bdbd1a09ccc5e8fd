// What a running turn leaves behind: the log of what its readers are told, its steps, and how it ended. Every write names
// the lease and is refused when that is no longer held: the row of the turn is read `for share`, so a takeover waits for
// the write or the write finds it.

import type { ProvenanceSource } from '../../contract/changes/provenance.ts'
import type { Turn } from '../../contract/companion/turns.ts'
import type { Usage } from '../../contract/events/events.ts'
import type { Queryable } from '../pool.ts'
import { isAsAnswered } from './answer_versions.ts'
import { beyondAll, seqOf } from './messages.ts'
import { callInsert, callRows, knownCall, type NewToolCall } from './tool_calls.ts'

/** Who runs a turn. The attempt is the fencing token: a write that names an older one is refused. */
export type Lease = { turn_id: string; attempt: number; owner: string }

/**
 * Besides its owner's name: that a turn runs. Only one that runs or has ended has an owner; by its `status` the planner
 * would go through all that run, which it takes for a few, instead of looking up the one.
 */
export const isHeld = 'finished_at is null'

export type TurnEnd = Pick<Turn, 'stop_reason' | 'usage' | 'error'> & {
  status: 'done' | 'failed' | 'stopped'
  duration_ms: number | null
}

/** `words`: what the conversation's summary begins with from then on; empty: it stays as it is. */
export type Answer = { id: string; body: string; metadata: Record<string, unknown>; words: string }

const maxSummary = 280

/** One row of a turn's log; `data` is JSON. A row of type `delta` holds an array of texts and covers a range. */
export type EventRow = { seq: number; type: string; data: string }

/** Something of the Space that a tool result gave the model to read. */
export type GivenSource = Pick<ProvenanceSource, 'entity_type' | 'entity_id' | 'title' | 'given_by'>

/** A step of a turn, as it is stored. */
export type StepRow = {
  turn_id: string
  seq: number
  role: 'user' | 'assistant'
  content: string
  /** Of a model's message. */
  stop_reason: string | null
  usage: Usage | null
  /** The last event before this step was finished. */
  event_seq: number
  /** Of a tool result: what it gave the model to read; `null` when the tool declared nothing. */
  given: GivenSource[] | null
}

/** Steps that are stored together, with the records of the tool calls whose results they hold. */
export type FinishedSteps = { steps: readonly StepRow[]; calls: readonly NewToolCall[] }

/** A step of an earlier turn; `model`: the name of the model that the turn was answered by. */
export type PastStepRow = Pick<StepRow, 'turn_id' | 'role' | 'content' | 'given'> & { model: string | null }

/** `null`: the lease is lost and nothing was stored. */
export type Written = { stop_requested: boolean } | null

/** `calls`: those that have begun since. Default: none. */
export type EventsOfTurn = { lease: Lease; events: readonly EventRow[]; calls?: readonly NewToolCall[] }

/** Doing a write again after a broken connection is safe: what is there already stays as it is. */
export function createTurnStepsRepo(db: Queryable) {
  return {
    /** Rows of the log that reach beyond `after`, in order. */
    async listEvents(turnId: string, after: number, limit: number): Promise<EventRow[]> {
      const { rows } = await db.query<EventRow>(
        `select seq, type, data
         from turn_events
         where turn_id = $1 and seq > $2
         order by seq
         limit $3`,
        [turnId, after, limit],
      )
      return rows
    },

    /** All rows of the log up to `until`, in order. */
    async listEventsUntil(turnId: string, until: number): Promise<EventRow[]> {
      const { rows } = await db.query<EventRow>(
        `select seq, type, data
         from turn_events
         where turn_id = $1 and seq <= $2
         order by seq`,
        [turnId, until],
      )
      return rows
    },

    /** Events of many turns; answers in the order of these. Their rows are locked by id, so that no two writers wait for each other. */
    async storeEvents(writes: readonly EventsOfTurn[]): Promise<Written[]> {
      const { rows } = await db.query<{ at: number; stop_requested: boolean }>(
        `with held as (
           select asked.at, asked.events, asked.calls, turn.id, turn.stop_requested
           from (
             select *
             from unnest($1::uuid[], $2::integer[], $3::text[], $4::json[], $5::json[]) with ordinality
               as asked (turn_id, attempt, owner, events, calls, at)
             order by turn_id
           ) as asked
           cross join lateral (
             select id, stop_requested_at is not null as stop_requested
             from turns
             where id = asked.turn_id and turns.attempt = asked.attempt and lease_owner = asked.owner
               and ${isHeld}
             for share
           ) as turn
         ), events as (
           insert into turn_events (turn_id, seq, type, data)
           select held.id, event.seq, event.type, event.data
           from held
           cross join lateral json_to_recordset(held.events) as event (seq integer, type text, data text)
           on conflict do nothing
         ), calls as (
           ${callInsert('held', 'held.calls')} and not exists (${knownCall('held')})
           on conflict do nothing
         )
         select at::integer, stop_requested from held`,
        [
          writes.map(({ lease }) => lease.turn_id),
          writes.map(({ lease }) => lease.attempt),
          writes.map(({ lease }) => lease.owner),
          writes.map(({ events }) => JSON.stringify(events)),
          writes.map(({ calls = [] }) => JSON.stringify(calls)),
        ],
      )
      const held = new Map(rows.map(({ at, stop_requested }) => [at, { stop_requested }]))
      return writes.map((_, at) => held.get(at + 1) ?? null)
    },

    /** Finished steps, those that hold the result of a tool call with its record. */
    async storeSteps(
      lease: Lease,
      events: readonly EventRow[],
      { steps, calls }: FinishedSteps,
    ): Promise<Written> {
      const { rows } = await db.query<{ stop_requested: boolean }>(
        `with held as (
           select id, stop_requested_at is not null as stop_requested
           from turns
           where id = $1 and attempt = $2 and lease_owner = $3 and ${isHeld}
           for share
         ), events as (
           insert into turn_events (turn_id, seq, type, data)
           select held.id, event.seq, event.type, event.data
           from held, unnest($4::integer[], $5::text[], $6::text[]) as event (seq, type, data)
           on conflict do nothing
         ), ${stepInserts('held', '$7', '$8')}
         select stop_requested from held`,
        [
          lease.turn_id,
          lease.attempt,
          lease.owner,
          ...toColumns(events),
          JSON.stringify(steps),
          JSON.stringify(calls),
        ],
      )
      return rows[0] ?? null
    },

    /**
     * Ends a running turn and stores its last steps, its answer and its last events, with the conversation's activity, in
     * one statement. False when the turn had already ended or the lease is no longer held: then nothing is stored.
     */
    async finish(
      lease: Lease,
      outcome: TurnEnd,
      answer: Answer,
      { events, steps, calls }: FinishedSteps & { events: readonly EventRow[] },
    ): Promise<boolean> {
      const { rowCount } = await db.query(
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
           on conflict do nothing
         ), ${stepInserts('ended', '$15', '$16')}, message as (
           insert into messages (id, conversation_id, turn_id, role, body, agent_id, metadata)
           select $8::uuid, conversation_id, id, 'assistant', $9::text, agent_id, $10::json
           from ended
         ), activity as (
           update conversations
           set last_activity_at = now(), naming_owed = ended.id,
             summary = case when $17 = '' then summary
               else left(concat_ws(' · ', $17, nullif(summary, '')), ${maxSummary}) end
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
          JSON.stringify(steps),
          JSON.stringify(calls),
          answer.words,
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

    /** The steps of the given turns, in order. */
    async list(turnIds: readonly string[]): Promise<StepRow[]> {
      const { rows } = await db.query<StepRow>(
        `select turn_id, seq, role, content, stop_reason, usage, event_seq, given
         from turn_steps
         where turn_id = any($1)
         order by turn_id, seq`,
        [turnIds],
      )
      return rows
    },

    /**
     * The steps of an agent's last turns of a conversation before a message, at most `turns` of them, in order: the
     * history that a model is given.
     */
    async listPast(
      conversationId: string,
      { beforeId, agentId, turns }: { beforeId: string; agentId: string; turns: number },
    ): Promise<PastStepRow[]> {
      const { rows } = await db.query<PastStepRow>(
        `select last.id as turn_id, last.model, step.role, content, given
         from (
           select turns.id, turns.model
           from messages
           join turns on turns.id = messages.turn_id and turns.agent_id = $3 and aside_with is null
           where messages.conversation_id = $1 and messages.role = 'user'
             and messages.seq < coalesce(${seqOf('$2')}, ${beyondAll}) and ${isAsAnswered('turns.id')}
           order by messages.seq desc
           limit $4
         ) as last
         join turn_steps step on turn_id = last.id
         order by last.id, step.seq`,
        [conversationId, beforeId, agentId, turns],
      )
      return rows
    },
  }
}

/** Rows as three arrays, for `unnest`. */
export function toColumns(rows: readonly EventRow[]): [number[], string[], string[]] {
  return [rows.map(({ seq }) => seq), rows.map(({ type }) => type), rows.map(({ data }) => data)]
}

/**
 * The part of a `with` clause that stores finished steps of the turn that `held` selects; the parameters are JSON. What
 * is there already stays as it is, but for a call that was pending; one that was cut off is none that has ended.
 */
const stepInserts = (held: string, steps: string, calls: string) => `steps as (
    insert into turn_steps (turn_id, seq, role, content, stop_reason, usage, event_seq, given)
    select ${held}.id, step.seq, step.role, step.content, step.stop_reason, step.usage, step.event_seq, step.given
    from ${held}, json_to_recordset(${steps}::json) as step (
      seq integer, role text, content text, stop_reason text, usage json, event_seq integer, given json
    )
    on conflict do nothing
  ), ended_calls as (
    update tool_calls known
    set result = call.result, entity_type = call.entity_type, entity_id = call.entity_id, status = call.status,
        duration_ms = call.duration_ms, passage = call.passage, created_at = now()
    from ${held}, ${callRows(calls)}
    where known.turn_id = ${held}.id and known.tool_use_id = call.tool_use_id and known.status = 'pending'
      and call.status <> 'pending'
    returning known.tool_use_id
  ), calls as (
    ${callInsert(held, calls)} and call.tool_use_id not in (select tool_use_id from ended_calls)
      and (call.status not in ('pending', 'cancelled') or not exists (${knownCall(held)}))
    on conflict do nothing
  )`

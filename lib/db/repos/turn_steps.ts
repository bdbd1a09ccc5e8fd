// What a running turn leaves behind, step by step. Every write names the lease and is refused when that is no longer
// held: the row of the turn is read `for share`, so a takeover waits for the write or the write finds it.

import type { Queryable } from '../pool.ts'
import { beyondAll, seqOf } from './messages.ts'
import { type FinishedSteps, type StepRow, stepInserts } from './step_row.ts'
import { type EventRow, toColumns } from './turn_events.ts'
import { isHeld, type Lease } from './turns.ts'

/** A step of an earlier turn; `model`: the name of the model that the turn was answered by. */
export type PastStepRow = Pick<StepRow, 'turn_id' | 'role' | 'content' | 'given'> & { model: string | null }

/** `null`: the lease is lost and nothing was stored. */
export type Written = { stop_requested: boolean } | null

export type EventsOfTurn = { lease: Lease; events: readonly EventRow[] }

/** Doing a write again after a broken connection is safe: what is there already stays as it is. */
export function createTurnStepsRepo(db: Queryable) {
  return {
    /** Those of many turns, in the order of these. Their rows are locked by id, so that no two writers wait for each other. */
    async storeEvents(writes: readonly EventsOfTurn[]): Promise<Written[]> {
      const { rows } = await db.query<{ at: number; stop_requested: boolean }>(
        `with held as (
           select asked.at, asked.events, turn.id, turn.stop_requested
           from (
             select *
             from unnest($1::uuid[], $2::integer[], $3::text[], $4::json[]) with ordinality
               as asked (turn_id, attempt, owner, events, at)
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
         )
         select at::integer, stop_requested from held`,
        [
          writes.map(({ lease }) => lease.turn_id),
          writes.map(({ lease }) => lease.attempt),
          writes.map(({ lease }) => lease.owner),
          writes.map(({ events }) => JSON.stringify(events)),
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
             and messages.seq < coalesce(${seqOf('$2')}, ${beyondAll})
           order by messages.seq desc
           limit $4
         ) as last
         join turn_steps step on turn_id = last.id
         order by last.id, step.seq`,
        [conversationId, beforeId, agentId, turns],
      )
      return rows
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
  }
}

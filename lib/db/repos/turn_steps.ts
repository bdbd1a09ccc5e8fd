// What a running turn leaves behind, step by step. Every write names the lease and is refused when that is no longer
// held: the row of the turn is read `for share`, so a takeover waits for the write or the write finds it.

import type { Usage } from '../../ai/model.ts'
import type { Queryable } from '../pool.ts'
import type { ToolCallRow } from './tool_calls.ts'
import { type EventRow, toColumns } from './turn_events.ts'
import type { Lease } from './turns.ts'

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
}

/** A step with the name of the model that its turn was answered by. */
export type PastStepRow = Pick<StepRow, 'turn_id' | 'seq' | 'role' | 'content'> & { model: string | null }

/** `null`: the lease is lost and nothing was stored. */
export type Written = { stop_requested: boolean } | null

const held = `held as (
    select id, stop_requested_at is not null as stop_requested
    from turns
    where id = $1 and attempt = $2 and lease_owner = $3 and status = 'running'
    for share
  ), events as (
    insert into turn_events (turn_id, seq, type, data)
    select held.id, event.seq, event.type, event.data
    from held, unnest($4::integer[], $5::text[], $6::text[]) as event (seq, type, data)
    on conflict do nothing
  )`

const step = `step as (
    insert into turn_steps (turn_id, seq, role, content, stop_reason, usage, event_seq)
    select id, $7::integer, $8, $9, $10, $11::json, $12::integer
    from held
    on conflict do nothing
  )`

export type TurnStepsRepo = ReturnType<typeof createTurnStepsRepo>

/** Doing a write again after a broken connection is safe: what is there already stays as it is. */
export function createTurnStepsRepo(db: Queryable) {
  async function write(text: string, values: unknown[]): Promise<Written> {
    const { rows } = await db.query<{ stop_requested: boolean }>(text, values)
    return rows[0] ?? null
  }

  return {
    async storeEvents(lease: Lease, events: readonly EventRow[]): Promise<Written> {
      return await write(`with ${held} select stop_requested from held`, leading(lease, events))
    },

    async storeStep(lease: Lease, events: readonly EventRow[], row: StepRow): Promise<Written> {
      return await write(`with ${held}, ${step} select stop_requested from held`, [
        ...leading(lease, events),
        ...stepValues(row),
      ])
    },

    /** A finished tool call: the step that holds its result for the model, and its record. */
    async storeResult(
      lease: Lease,
      events: readonly EventRow[],
      row: StepRow,
      call: Omit<ToolCallRow, 'created_at'>,
    ): Promise<Written> {
      return await write(
        `with ${held}, ${step}, call as (
           insert into tool_calls
             (id, space_id, agent_id, turn_id, tool_use_id, name, arguments, result, entity_type, entity_id, status,
              duration_ms)
           select $13::uuid, $14::uuid, $15::uuid, id, $16, $17, $18::json, $19, $20, $21::uuid, $22, $23::integer
           from held
           on conflict do nothing
         )
         select stop_requested from held`,
        [
          ...leading(lease, events),
          ...stepValues(row),
          call.id,
          call.space_id,
          call.agent_id,
          call.tool_use_id,
          call.name,
          JSON.stringify(call.arguments),
          call.result,
          call.entity_type,
          call.entity_id,
          call.status,
          call.duration_ms,
        ],
      )
    },

    /** The steps of the given turns, in order, as a model looks back upon them. */
    async listPast(turnIds: readonly string[]): Promise<PastStepRow[]> {
      const { rows } = await db.query<PastStepRow>(
        `select turn_id, seq, role, content, turns.model
         from turn_steps
         join turns on turns.id = turn_id
         where turn_id = any($1)
         order by turn_id, seq`,
        [turnIds],
      )
      return rows
    },

    /** The steps of the given turns, in order. */
    async list(turnIds: readonly string[]): Promise<StepRow[]> {
      const { rows } = await db.query<StepRow>(
        `select turn_id, seq, role, content, stop_reason, usage, event_seq
         from turn_steps
         where turn_id = any($1)
         order by turn_id, seq`,
        [turnIds],
      )
      return rows
    },
  }
}

const leading = ({ turn_id, attempt, owner }: Lease, events: readonly EventRow[]) => [
  turn_id,
  attempt,
  owner,
  ...toColumns(events),
]

/** As the columns `seq, role, content, stop_reason, usage, event_seq`; nulls for none. */
export const stepValues = (row: StepRow | null): unknown[] => [
  row?.seq,
  row?.role,
  row?.content,
  row?.stop_reason,
  row?.usage && JSON.stringify(row.usage),
  row?.event_seq,
]

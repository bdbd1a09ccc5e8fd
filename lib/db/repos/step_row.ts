import type { ProvenanceSource } from '../../contract/changes/provenance.ts'
import type { Usage } from '../../contract/events/events.ts'
import type { NewToolCall } from './tool_calls.ts'

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

/**
 * The part of a `with` clause that stores finished steps of the turn that `held` selects; the parameters are JSON. What
 * is there already stays as it is, and a call that was cut off is none that has a record.
 */
export const stepInserts = (held: string, steps: string, calls: string) => `steps as (
    insert into turn_steps (turn_id, seq, role, content, stop_reason, usage, event_seq, given)
    select ${held}.id, step.seq, step.role, step.content, step.stop_reason, step.usage, step.event_seq, step.given
    from ${held}, json_to_recordset(${steps}::json) as step (
      seq integer, role text, content text, stop_reason text, usage json, event_seq integer, given json
    )
    on conflict do nothing
  ), calls as (
    insert into tool_calls
      (id, space_id, agent_id, turn_id, tool_use_id, name, arguments, result, entity_type, entity_id, status,
       duration_ms, passage)
    select call.id, call.space_id, call.agent_id, ${held}.id, call.tool_use_id, call.name, call.arguments, call.result,
      call.entity_type, call.entity_id, call.status, call.duration_ms, call.passage
    from ${held}, json_to_recordset(${calls}::json) as call (
      id uuid, space_id uuid, agent_id uuid, tool_use_id text, name text, arguments json, result text,
      entity_type text, entity_id uuid, status text, duration_ms integer, passage text
    )
    where call.status <> 'cancelled' or not exists (
      select from tool_calls known
      where known.turn_id = ${held}.id and known.tool_use_id = call.tool_use_id
    )
    on conflict do nothing
  )`

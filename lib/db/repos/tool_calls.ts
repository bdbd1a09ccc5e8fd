import type { Queryable } from '../pool.ts'
import type { StepRow } from './turns.ts'

export type ToolCallRow = {
  id: string
  space_id: string
  agent_id: string
  turn_id: string | null
  tool_use_id: string | null
  name: string
  arguments: unknown
  /** A summary, never the whole result. */
  result: string
  entity_type: string | null
  entity_id: string | null
  status: 'done' | 'error'
  duration_ms: number
  created_at: string
}

export type ToolCallsRepo = ReturnType<typeof createToolCallsRepo>

/** The record of every call an agent made. */
export function createToolCallsRepo(db: Queryable) {
  return {
    /** Together with the step of its turn that holds the result for the model. */
    async insertWithStep(call: Omit<ToolCallRow, 'created_at'>, step: StepRow): Promise<void> {
      await db.query(
        `with step as (
           insert into turn_steps (turn_id, seq, role, content)
           values ($13, $14, $15, $16)
         )
         insert into tool_calls
           (id, space_id, agent_id, turn_id, tool_use_id, name, arguments, result, entity_type, entity_id, status,
            duration_ms)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
        [
          call.id,
          call.space_id,
          call.agent_id,
          call.turn_id,
          call.tool_use_id,
          call.name,
          JSON.stringify(call.arguments),
          call.result,
          call.entity_type,
          call.entity_id,
          call.status,
          call.duration_ms,
          step.turn_id,
          step.seq,
          step.role,
          step.content,
        ],
      )
    },
  }
}

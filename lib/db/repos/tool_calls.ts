import type { Queryable } from '../pool.ts'

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

/** The record of every call an agent made. A turn writes its own together with its steps, in turn_steps.ts. */
export function createToolCallsRepo(db: Queryable) {
  return {
    /** The calls of a turn, in the order in which they ended. */
    async listOfTurn(turnId: string): Promise<ToolCallRow[]> {
      const { rows } = await db.query<ToolCallRow>(
        `select id, space_id, agent_id, turn_id, tool_use_id, name, arguments, result, entity_type, entity_id, status,
           duration_ms, created_at
         from tool_calls
         where turn_id = $1
         order by id`,
        [turnId],
      )
      return rows
    },
  }
}

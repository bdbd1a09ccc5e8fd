import { v7 as uuid } from 'uuid'
import type { Queryable } from '../db/pool.ts'
import { createToolResultsRepo } from '../db/repos/tool_calls.ts'

type NewResult = {
  space_id: string
  agent_id: string
  turn_id: string | null
  tool_use_id?: string | null
  result: {
    source_id: string
    source_name: string
    tool: string
    arguments: string
    text: string
    cut: boolean
    failed: boolean
  }
  now: Date
}

/** Stores what a tool answered, and returns its id. */
export async function storeResult(
  db: Queryable,
  { space_id, agent_id, turn_id, tool_use_id = null, result, now }: NewResult,
): Promise<string> {
  const id = uuid()
  const { source_id, source_name, tool, text, cut, failed } = result
  await createToolResultsRepo(db).insert(
    {
      ...{ id, space_id, agent_id, turn_id, tool_use_id },
      ...{ source_id, source_name, tool, arguments: result.arguments, text, cut, failed },
    },
    now,
  )
  return id
}

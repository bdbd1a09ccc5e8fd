import type { ToolEvent } from '../../../contract/events/events.ts'

/** The tools that a step of a stage can name, besides those that search. */
export const modelTool = 'model'
export const verifyTool = 'verify_claims'

/** What a step of a stage is: a call of the model, of a tool that searches, or work of code. */
export function substepOf({ tool, status }: Pick<ToolEvent, 'tool' | 'status'>): ToolEvent['substep'] {
  const isBegun = status === 'running'
  if (tool === modelTool) return isBegun ? 'llm_start' : 'llm_complete'
  if (tool === verifyTool) return 'status'
  return isBegun ? 'mcp_start' : 'mcp_result'
}

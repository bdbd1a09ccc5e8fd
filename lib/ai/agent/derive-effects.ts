import type { Effect } from '../../contract/effects.ts'
import type { Tool } from './tool.ts'

/** A finished call, as its tool sees it. */
export type FinishedCall = {
  result: unknown
  input: unknown
  /** What the call says of itself in a line; `null`: nothing. */
  summary: string | null
  /** The pending change that it stored. */
  draftId: string | null
  /** Where it was made. */
  space_id: string
}

/**
 * What a finished call does to the owner's view: what its tool says, and what its class asks for. A draft waits for a
 * word, an addition is told, and looking around is silent. Pure; a failed call has no effects.
 */
export function deriveEffects(
  tool: Tool,
  { result, input, summary, draftId, space_id }: FinishedCall,
): Effect[] {
  const own = tool.effects?.(result, input, { space_id }) ?? []
  if (draftId !== null)
    return [...own, { type: 'confirm', pending_change_id: draftId, summary: summary ?? '' }]
  if (tool.actionClass === 'additive' && summary !== null)
    return [...own, { type: 'notify', message: summary }]
  return own
}

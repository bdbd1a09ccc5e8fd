import type { Effect } from '../../contract/events/effects.ts'
import type { DraftEvent } from '../../contract/events/events.ts'
import type { Tool } from './tool.ts'

/** A finished call, as its tool sees it. */
export type FinishedCall = {
  result: unknown
  input: unknown
  /** The call's own line for people; `null`: nothing. */
  summary: string | null
  /** The pending change that it stored. */
  draft: Pick<DraftEvent, 'pending_change_id'> | null
  /** Where it was made. */
  space_id: string
}

/** It waits for the owner, so nothing is done yet. */
const drafted = (summary: string): Effect => ({
  type: 'notify',
  level: 'info',
  message: `Drafted: ${summary}`,
})

/**
 * What a finished call does to the owner's view: the tool's own effects, and those of its class. An addition is notified,
 * drafted or not; any other draft asks for a decision, and reading is silent. Pure; a failed call has no effects.
 */
export function deriveEffects(
  tool: Tool,
  { result, input, summary, draft, space_id }: FinishedCall,
): Effect[] {
  const own = tool.effects?.(result, input, { space_id }) ?? []
  const { actionClass } = tool
  const isAdditive = (typeof actionClass === 'function' ? actionClass(input) : actionClass) === 'additive'
  if (draft && !isAdditive) {
    const { pending_change_id } = draft
    return [...own, { type: 'confirm', pending_change_id, summary: summary ?? '' }]
  }
  if (isAdditive && summary !== null)
    return [...own, draft ? drafted(summary) : { type: 'notify', level: 'success', message: summary }]
  return own
}

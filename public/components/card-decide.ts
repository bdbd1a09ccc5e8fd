import type { CardLine, PendingChange } from '../../lib/contract/card.ts'
import { type Api, ApiError, messageOf } from '../api.ts'

export type Choice = { approve: true } | { approve: false; reason: string }

/** What became of a decision. `moved`: the draft is no longer what was looked at, and must be shown anew. */
export type Outcome = { done: true; change: PendingChange } | { done: false; message: string; moved: boolean }

/**
 * Sends a decision on the very payload that was shown. Never rejects: a refusal is an outcome with a sentence for the
 * owner.
 */
export async function decide(
  api: Pick<Api, 'post'>,
  { pending_change_id, payload_sha256 }: Pick<CardLine, 'pending_change_id' | 'payload_sha256'>,
  choice: Choice,
): Promise<Outcome> {
  const path = `/api/pending-changes/${pending_change_id}`
  try {
    const change = choice.approve
      ? await api.post<PendingChange>(`${path}/approve`, { payload_sha256 })
      : await api.post<PendingChange>(`${path}/reject`, choice.reason ? { reason: choice.reason } : {})
    return { done: true, change }
  } catch (error) {
    const moved = error instanceof ApiError && (error.status === 409 || error.status === 404)
    return { done: false, message: explain(error), moved }
  }
}

function explain(error: unknown): string {
  return (error instanceof ApiError && refusals[error.code]) || messageOf(error)
}

const refusals: Record<string, string> = {
  payload_mismatch:
    'The draft is not the one that you looked at, so nothing was changed. Here it is as it stands now.',
  stale_version: 'What it changes has moved on since it was drafted, so nothing was changed.',
  already_decided: 'It had already been decided elsewhere. This is how it stands.',
  obsolete: 'What it would change is gone, so there was nothing to approve.',
  missing_reference: 'It needs something that another draft would create. Approve that one first.',
  not_found: 'The draft is not there any more.',
}

import type { Card, CardLine } from '../../../../lib/contract/changes/card.ts'
import type { Side } from '../../../../lib/contract/changes/decision.ts'
import type { DecidedChange } from '../../../../lib/contract/changes/pending-change.ts'
import { type Api, ApiError, messageOf } from '../../../app/api/api.ts'
import type { Parts } from './parts.ts'

export type Choice =
  | ({
      approve: true
      /** Other values than the draft's, for the fields named. */
      edited?: Record<string, unknown>
      /** The sides of a merge's conflicts. */
      choices?: Record<string, Side>
    } & Parts)
  /** `keep`: only the rest is rejected. */
  | { approve: false; reason: string; keep?: Parts }

/** `moved`: the draft has changed since it was shown, and has to be loaded again. */
export type Outcome = { done: true; change: DecidedChange } | { done: false; message: string; moved: boolean }

type Shown = Pick<CardLine, 'pending_change_id' | 'payload_sha256'>

/**
 * Sends a decision on the payload that was shown. Never rejects: a refusal is an outcome with a message.
 */
export async function decide(
  api: Pick<Api, 'post'>,
  { pending_change_id, payload_sha256 }: Shown,
  choice: Choice,
): Promise<Outcome> {
  const { approve, ...rest } = choice
  const { reason, ...others } = 'reason' in rest ? rest : { reason: '', ...rest }
  const body = { payload_sha256, ...others, ...(reason ? { reason } : {}) }
  const path = pathOf(pending_change_id, approve ? 'approve' : 'reject')
  return await attempt(() => api.post<DecidedChange>(path, body))
}

/** `review-again` merges a stale draft with the changes since; `as-new-page` is for a draft whose target was deleted. */
export type Redraft = 'review-again' | 'as-new-page'

/** Replaces a draft that cannot be applied by a new one. Never rejects. */
export async function redraft(
  api: Pick<Api, 'post'>,
  { pending_change_id }: Pick<Card, 'pending_change_id'>,
  how: Redraft,
): Promise<Outcome> {
  return await attempt(() => api.post<DecidedChange>(pathOf(pending_change_id, how), {}))
}

const pathOf = (id: string, what: string) => `/api/pending-changes/${id}/${what}`

async function attempt(send: () => Promise<DecidedChange>): Promise<Outcome> {
  try {
    return { done: true, change: await send() }
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
    'This is not the draft that you reviewed, so nothing was changed. Review it, then decide again.',
  stale_version: 'The target has changed since this was drafted, so nothing was applied.',
  already_decided: 'This draft was already decided elsewhere.',
  obsolete: 'The target of this draft was deleted, so nothing was changed.',
  missing_reference: 'This draft depends on another draft. Approve that one first.',
  not_found: 'Draft not found.',
}

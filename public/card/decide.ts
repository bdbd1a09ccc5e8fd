import type { Card, CardLine, PendingChange } from '../../lib/contract/card.ts'
import type { Side } from '../../lib/contract/decision.ts'
import { type Api, ApiError, messageOf } from '../api.ts'
import type { Parts } from './choose.ts'

export type Choice =
  | ({
      approve: true
      /** Other values than the draft's, for the fields named. */
      edited?: Record<string, unknown>
      /** The sides of a merge's conflicts. */
      choices?: Record<string, Side>
    } & Parts)
  | { approve: false; reason: string }

/** What became of a decision. `moved`: the draft is no longer what was looked at, and must be shown anew. */
export type Outcome = { done: true; change: PendingChange } | { done: false; message: string; moved: boolean }

type Shown = Pick<CardLine, 'pending_change_id' | 'payload_sha256'>

/**
 * Sends a decision on the very payload that was shown. Never rejects: a refusal is an outcome with a sentence for the
 * owner.
 */
export async function decide(
  api: Pick<Api, 'post'>,
  { pending_change_id, payload_sha256 }: Shown,
  choice: Choice,
): Promise<Outcome> {
  const { approve, ...rest } = choice
  return await attempt(() =>
    approve
      ? api.post<PendingChange>(pathOf(pending_change_id, 'approve'), { payload_sha256, ...rest })
      : api.post<PendingChange>(
          pathOf(pending_change_id, 'reject'),
          'reason' in rest && !rest.reason ? {} : rest,
        ),
  )
}

/** A new draft in place of one that fell out of date (merged with what changed), or whose target is gone (a page). */
export async function draftAgain(
  api: Pick<Api, 'post'>,
  { pending_change_id }: Pick<Card, 'pending_change_id'>,
  how: 'review-again' | 'as-new-page',
): Promise<Outcome> {
  return await attempt(() => api.post<PendingChange>(pathOf(pending_change_id, how), {}))
}

const pathOf = (id: string, what: string) => `/api/pending-changes/${id}/${what}`

async function attempt(send: () => Promise<PendingChange>): Promise<Outcome> {
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
    'The draft is not the one that you looked at, so nothing was changed. Here it is as it stands now.',
  stale_version: 'What it changes has moved on since it was drafted, so nothing was changed.',
  already_decided: 'It had already been decided elsewhere. This is how it stands.',
  obsolete: 'What it would change is gone, so there was nothing to approve.',
  missing_reference: 'It needs something that another draft would create. Approve that one first.',
  not_found: 'The draft is not there any more.',
}

import type { Queryable } from '../db/pool.ts'
import { createPendingChangesRepo } from '../db/repos/pending_changes.ts'
import { AppError, conflict } from '../errors.ts'

/** What one agent may have waiting and send. */
export type DraftLimits = {
  /** Drafts that wait for the owner. */
  waiting: number
  /** Drafts made within an hour, whatever became of them. */
  perHour: number
  /** Bytes of one draft's payload in UTF-8. */
  bytes: number
}

/**
 * Throws an `AppError` for a draft that is too much: 413 `draft_too_large`, 409 `too_many_drafts`, 429
 * `too_many_requests` with `details.retry_after_seconds`. `replaces` is how many that wait it takes the place of. The
 * caller holds the agent's lock.
 */
export async function checkDraftLimits(
  tx: Queryable,
  limits: DraftLimits,
  draft: { agent_id: string; payload: string; replaces: number },
): Promise<void> {
  const bytes = Buffer.byteLength(draft.payload)
  if (bytes > limits.bytes) {
    const message = `This draft has ${bytes} bytes; one may have ${limits.bytes}. Draft it in parts.`
    throw new AppError('draft_too_large', 413, message, { details: { bytes, limit: limits.bytes } })
  }

  const count = await createPendingChangesRepo(tx).countOfAgent(draft.agent_id)
  if (count.lastHour >= limits.perHour) {
    const message = `This agent has made ${count.lastHour} drafts within the hour; that is as many as it may.`
    const details = { limit: limits.perHour, retry_after_seconds: count.nextInSeconds }
    throw new AppError('too_many_requests', 429, message, { details })
  }
  if (count.waiting - draft.replaces >= limits.waiting) {
    const message =
      `${count.waiting} drafts of this agent wait for the owner; that is as many as may. ` +
      'Retract some, or wait for decisions.'
    throw conflict('too_many_drafts', message, { limit: limits.waiting })
  }
}

import { AppError, conflict } from '../../core/errors.ts'
import type { Queryable } from '../../db/pool.ts'
import { createPendingChangeListsRepo } from '../../db/repos/pending_change_lists.ts'

/** What one agent may have waiting and send. */
export type DraftLimits = {
  /** Drafts that wait for the owner. */
  waiting: number
  /** Bytes of the payloads of those, together. */
  waitingBytes: number
  /** Drafts made within an hour, whatever became of them. */
  perHour: number
  /** Bytes of one draft's payload in UTF-8. */
  bytes: number
}

/** So that one message of a model cannot spend the allowance of an hour. */
const maxDraftsPerTurn = 50

/**
 * Throws an `AppError` for a draft that is too much: 413 `draft_too_large`, 409 `too_many_drafts`, 429
 * `too_many_requests` with `details.retry_after_seconds`. `older` are those that wait and that it replaces. Counts exactly where the
 * caller holds the agent's lock.
 */
export async function checkDraftLimits(
  tx: Queryable,
  limits: DraftLimits,
  draft: { agent_id: string; turn_id: string | null; payload: string },
  older: readonly { id: string }[],
): Promise<void> {
  const bytes = Buffer.byteLength(draft.payload)
  if (bytes > limits.bytes) {
    const message = `This draft has ${bytes} bytes; one may have ${limits.bytes}. Draft it in parts.`
    throw new AppError('draft_too_large', 413, message, { details: { bytes, limit: limits.bytes } })
  }

  const count = await createPendingChangeListsRepo(tx).countOfAgent({
    agent_id: draft.agent_id,
    turn_id: draft.turn_id,
    replaces: older.map(({ id }) => id),
  })
  if (count.lastHour >= limits.perHour) {
    const message = `This agent has made ${count.lastHour} drafts within the hour, which is the limit.`
    const details = { limit: limits.perHour, retry_after_seconds: count.nextInSeconds }
    throw new AppError('too_many_requests', 429, message, { details })
  }
  if (count.ofTurn >= maxDraftsPerTurn) {
    const message = `This turn has made ${count.ofTurn} drafts, which is the limit of one turn.`
    throw conflict('too_many_drafts', message, { limit: maxDraftsPerTurn })
  }
  if (count.waitingBytes + bytes > limits.waitingBytes) {
    const message =
      `The pending drafts of this agent have ${count.waitingBytes} bytes; together they may have ` +
      `${limits.waitingBytes}. Retract some, or wait for decisions.`
    throw conflict('too_many_drafts', message, { limit_bytes: limits.waitingBytes })
  }
  if (count.waiting >= limits.waiting) {
    const message =
      `${count.waiting} drafts of this agent are pending, which is the limit. ` +
      'Retract some, or wait for decisions.'
    throw conflict('too_many_drafts', message, { limit: limits.waiting })
  }
}

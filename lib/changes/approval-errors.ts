import type { PendingChange } from '../contract/changes/pending-change.ts'
import type { EntityRow, Kind } from '../contract/entities/kind.ts'
import type { Kinds } from '../contract/entities/kinds.ts'
import { AppError, conflict } from '../core/errors.ts'
import type { Database, Queryable } from '../db/pool.ts'
import { createPendingChangeListsRepo } from '../db/repos/pending_change_lists.ts'
import { summarizeChange } from './card/card-line.ts'
import { type LoadCards, loadCard, loadChangesSince } from './card/load-cards.ts'

export const alreadyDecided = (change: PendingChange): AppError =>
  conflict('already_decided', `Pending change ${change.id} is already ${change.status}.`, { current: change })

/** The 409 for a draft whose target has moved on; `details.since` says how. */
export async function loadStaleError(
  tx: Queryable,
  kind: Kind,
  change: PendingChange,
  row: EntityRow,
): Promise<AppError> {
  const [since] = await loadChangesSince(tx, [change])
  return conflict(
    'stale_version',
    `The ${kind.label} ${row.id} has changed since version ${change.base_version}; it is now at version ` +
      `${row.version}. Update the draft to merge both.`,
    { current: row, since },
  )
}

/** An error for a missing reference names the draft that would create what is missing, if there is one. */
export async function withNeededDraft(
  tx: Queryable,
  kinds: Kinds,
  change: PendingChange,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof AppError) || error.code !== 'missing_reference') return error
  const id = error.details?.entity_id
  if (typeof id !== 'string') return error
  const [needed] = await createPendingChangeListsRepo(tx).listCreators([{ ...change, entity_id: id }])
  if (!needed) return error

  const { entity_type, status } = needed
  const summary = summarizeChange(kinds.get(entity_type), needed, null)
  const message =
    status === 'pending'
      ? `Approve another draft of the changeset first: ${summary}.`
      : `This depends on another draft, which is ${status}: ${summary}.`
  return conflict('missing_reference', message, {
    ...error.details,
    needs: { pending_change_id: needed.id, entity_type, entity_id: id, status, summary },
  })
}

export type MismatchDeps = { database: Database; loadCards: LoadCards }

/** Throws `PayloadMismatch` when a hash is given and is not that of the draft's payload. */
export function checkHash(change: PendingChange, hash: string | undefined): void {
  if (hash !== undefined && hash !== change.payload_sha256) throw new PayloadMismatch(change)
}

class PayloadMismatch extends Error {
  readonly change: PendingChange

  constructor(change: PendingChange) {
    super('payload mismatch')
    this.change = change
  }
}

/**
 * What the transaction returns. A mismatch in it becomes a 409 `AppError` with the present card, which is made after
 * the transaction: one of large texts may take seconds, and nobody waits for a lock meanwhile.
 */
export async function withCardOfMismatch<Result>(
  { database, loadCards }: MismatchDeps,
  transaction: () => Promise<Result>,
): Promise<Result> {
  try {
    return await transaction()
  } catch (error) {
    if (!(error instanceof PayloadMismatch)) throw error
    const { change } = error
    throw conflict(
      'payload_mismatch',
      `payload_sha256 does not match pending change ${change.id}. Reload it and decide again.`,
      { current: change, card: await loadCard(database, loadCards, change) },
    )
  }
}

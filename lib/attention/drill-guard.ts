// What happens to a drill when somebody decides to apply it: it is closed, the owner is told, and nothing changes. The
// database would refuse it too (migration 007).

import { actorName } from '../actor.ts'
import type { BeforeApply } from '../changes/approve.ts'
import type { Ledger } from '../changes/ledger.ts'
import type { PendingChange } from '../contract/changes/pending-change.ts'
import { createDrillsRepo } from '../db/repos/drills.ts'
import { type AppError, conflict } from '../errors.ts'

/**
 * Refuses every drill and closes one that waits: as rejected, where any part of it is; as approved by mistake, or, when it went out of date, as withdrawn,
 * since nobody is to merge a text that is made up.
 */
export function createDrillGuard({ ledger }: { ledger: Ledger }): BeforeApply {
  return async ({ tx, actor, change, decision }) => {
    if (!(await createDrillsRepo(tx).isDrill(change.id))) return null
    if (change.status !== 'pending') return { change, refusal: drillRefusal(change) }
    if (decision === 'reject_part') {
      const rejected = { decision: 'reject', reason: null } as const
      const decided_by = actorName(actor)
      return {
        change: await ledger.close(tx, change, { status: 'rejected', decided_by, decision: rejected }),
      }
    }
    const mistake = { decided_by: actorName(actor), decision: { decision: 'approve', reason: null } } as const
    const closed = await ledger.close(tx, change, {
      status: 'retracted',
      ...(decision === 'approve' ? mistake : { decided_by: null }),
    })
    return { change: closed, refusal: drillRefusal(closed) }
  }
}

/** The 409 `AppError` of a drill. */
const drillRefusal = (change: PendingChange): AppError =>
  conflict('drill', 'This was a practice draft that should have been rejected. Nothing was changed.', {
    current: change,
  })

// What happens to a drill when somebody approves it: it is closed, told, and changes nothing. The database would refuse
// it too (migration 007).

import { type Actor, actorName } from '../auth/actor.ts'
import type { Ledger } from '../changes/ledger.ts'
import type { PendingChange } from '../contract/card.ts'
import type { Queryable } from '../db/pool.ts'
import { createDrillsRepo } from '../db/repos/drills.ts'
import { type AppError, conflict } from '../errors.ts'

type Caught = { change: PendingChange; refusal: AppError }

type Approval = { tx: Queryable; ledger: Ledger; actor: Actor }

/** Closes a draft that is a drill, with the refusal that says so; `null` for a real one. The caller holds its lock. */
export async function catchDrill(
  { tx, ledger, actor }: Approval,
  change: PendingChange,
): Promise<Caught | null> {
  if (!(await createDrillsRepo(tx).isDrill(change.id))) return null
  const caught = await ledger.close(tx, change, {
    status: 'retracted',
    decided_by: actorName(actor),
    decision: { decision: 'approve', reason: null },
  })
  return { change: caught, refusal: drillRefusal(caught) }
}

/** Takes away a drill that went out of date: nobody is to work on a text that is made up. */
export async function withdrawDrill(ledger: Ledger, tx: Queryable, change: PendingChange): Promise<Caught> {
  const withdrawn =
    change.status === 'pending'
      ? await ledger.close(tx, change, { status: 'retracted', decided_by: null })
      : change
  return { change: withdrawn, refusal: drillRefusal(withdrawn) }
}

/** The 409 `AppError` that tells of a drill. */
export const drillRefusal = (change: PendingChange): AppError =>
  conflict(
    'drill',
    'This was a drill: a draft that should not be approved, put there by Void because you asked for drills. Nothing was changed.',
    { current: change },
  )

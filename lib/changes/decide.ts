// The owner's decision: the only place where a stored draft becomes a change. One transaction each: lock the draft,
// compare hash and version, apply, audit (see approve.ts).

import { type Actor, actorName } from '../actor.ts'
import { canAct } from '../auth/capability.ts'
import type { PendingChange } from '../contract/changes/pending-change.ts'
import type { Queryable } from '../db/pool.ts'
import { createPendingChangesRepo } from '../db/repos/pending_changes.ts'
import { forbidden, notFound } from '../errors.ts'
import { cleanText } from '../text/clean.ts'
import { alreadyDecided, checkHash, type MismatchDeps, withCardOfMismatch } from './approval-errors.ts'
import { type ApproveRequest, termsOf, wasApprovedOn } from './approval-terms.ts'
import { type Applied, type ApproveDeps, checkSpace, createApply } from './approve.ts'
import type { Ledger } from './ledger.ts'
import { rescueText } from './rescue-text.ts'
import { reviewAgain } from './review-again.ts'

export type Decisions = {
  /**
   * Applies the draft, or what the request chooses of it, and returns it. The rest of one that was approved in part
   * waits as its successor. With edited values or choices between the sides of conflicts the successor is what is
   * applied and returned. The same request again gives the same answer.
   *
   * Throws `AppError` 409: `already_decided` (another decision came first; it is in the details), `payload_mismatch`
   * (the hash is not of this draft; the details hold its card), `stale_version` (the entity has moved on; the details
   * say how), `open_conflicts` (a merge needs choices), `obsolete` (the entity is gone; the draft is now marked so),
   * `missing_reference` (it needs what another draft would create, which the details name), `nothing_left`,
   * `space_deleted` (restore the Space first), and whatever `beforeApply` refuses. 400 for a choice of what the draft does not have.
   */
  approve(actor: Actor, id: string, request?: ApproveRequest): Promise<PendingChange>
  /** Closes the draft without a change. Rejecting what was rejected answers the same again, the first reason kept. */
  reject(actor: Actor, id: string, options?: { reason?: string | undefined }): Promise<PendingChange>
  /** Merges a stale draft with what changed, as its successor. Throws as `reviewAgain` (review-again.ts). */
  reviewAgain(actor: Actor, id: string): Promise<PendingChange>
  /** Drafts a new page from the text of a draft whose target is gone. Throws as `rescueText`. */
  asNewPage(actor: Actor, id: string): Promise<PendingChange>
}

export type DecisionDeps = ApproveDeps & MismatchDeps

export function createDecisions(deps: DecisionDeps): Decisions {
  const { database, kinds, ledger, compute, beforeApply } = deps
  const apply = createApply(deps)

  return {
    async approve(actor, id, request = {}) {
      return await decide(actor, id, async (tx, change) => {
        checkHash(change, request.payload_sha256)
        if (change.status === 'pending') return await apply(tx, actor, change, request)
        const outcome = await beforeApply?.({ tx, actor, change, decision: 'approve' })
        if (outcome) return outcome
        if (!wasApprovedOn(change, termsOf(change, request))) throw alreadyDecided(change)
        return { change: change.status === 'approved' ? change : await successorOf(tx, change) }
      })
    },

    async reject(actor, id, options = {}) {
      return await decide(actor, id, async (tx, change) => {
        if (change.status === 'rejected') return { change }
        if (change.status !== 'pending') throw alreadyDecided(change)
        const reason = options.reason === undefined ? null : cleanText(options.reason)
        return { change: await closeRejected(ledger, tx, actor, change, reason) }
      })
    },

    async reviewAgain(actor, id) {
      return await decide(actor, id, async (tx, change) => {
        await checkSpace(tx, change)
        const outcome = await beforeApply?.({ tx, actor, change, decision: 'review_again' })
        if (outcome) return outcome
        if (change.status === 'pending')
          return await reviewAgain({ kinds, ledger, compute }, tx, actor, change)
        if (change.decision?.decision !== 'review_again') throw alreadyDecided(change)
        return { change: await successorOf(tx, change) }
      })
    },

    async asNewPage(actor, id) {
      return await decide(actor, id, async (tx, change) => {
        await checkSpace(tx, change)
        const made = change.status === 'obsolete' && change.superseded_by
        return {
          change: made ? await successorOf(tx, change) : await rescueText({ kinds, ledger }, tx, change),
        }
      })
    },
  }

  // A refusal that has to leave a mark (obsolete) is thrown only after the transaction that marks it.
  async function decide(
    actor: Actor,
    id: string,
    run: (tx: Queryable, change: PendingChange) => Promise<Applied>,
  ): Promise<PendingChange> {
    checkDecides(actor)
    const { change, refusal } = await withCardOfMismatch(deps, () =>
      database.transaction(async (tx) => {
        const change = await createPendingChangesRepo(tx).lock(id)
        if (!change) throw notFound('pending change', id)
        return await run(tx, change)
      }),
    )
    if (refusal) throw refusal
    return change
  }
}

/** Throws a 403 `AppError` for whoever may not decide. */
export function checkDecides(actor: Actor): void {
  if (canAct(actor, 'decide', 'pending_change') === 'allow') return
  throw forbidden('Only the owner can decide on pending changes.')
}

export async function closeRejected(
  ledger: Ledger,
  tx: Queryable,
  actor: Actor,
  change: PendingChange,
  reason: string | null,
): Promise<PendingChange> {
  return await ledger.close(tx, change, {
    status: 'rejected',
    decided_by: actorName(actor),
    decision: { decision: 'reject', reason },
  })
}

async function successorOf(
  tx: Queryable,
  { superseded_by, ...change }: PendingChange,
): Promise<PendingChange> {
  const within = { space_ids: [change.space_id], agent_id: null }
  const successor = superseded_by && (await createPendingChangesRepo(tx).find(superseded_by, within))
  if (!successor) throw notFound('successor of pending change', change.id)
  return successor
}

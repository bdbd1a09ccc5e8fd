// The owner's decision: the only place where a stored draft becomes a change. One transaction each: lock the draft,
// compare hash and version, apply, audit (see approve.ts).

import { canAct } from '../auth/capability.ts'
import type { LookFirst } from '../content/writes/write.ts'
import { makesNew } from '../contract/changes/decision.ts'
import type { PendingChange } from '../contract/changes/pending-change.ts'
import type { Kinds } from '../contract/entities/kinds.ts'
import type { Actor } from '../core/actor.ts'
import { conflict, forbidden, invalid, notFound } from '../core/errors.ts'
import { cleanText } from '../core/text/clean.ts'
import type { Tx } from '../db/pool.ts'
import { createEntitiesRepo } from '../db/repos/entities.ts'
import { createPendingChangesRepo } from '../db/repos/pending_changes.ts'
import { OutdatedPlan, retryOutdated } from '../jobs/workers/text-threads.ts'
import {
  type Applied,
  type ApproveDeps,
  alreadyDecided,
  checkHash,
  checkSpace,
  createApply,
  loadStaleError,
  type MismatchDeps,
  withCardOfMismatch,
} from './approve.ts'
import {
  type ApproveRequest,
  type PlanDeps,
  planApproval,
  planRejection,
  planWhole,
  termsOf,
  wasApprovedOn,
  wasRejectedOn,
} from './plan-approval.ts'
import { planMerge, planRescue, rescueText, reviewAgain } from './review-again.ts'

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
   * `space_deleted` (restore the Space first), `too_many_routines`. 400 for a choice of what the draft does not have.
   */
  approve(actor: Actor, id: string, request?: ApproveRequest): Promise<PendingChange>
  /**
   * Closes the draft without a change; with `keep`, what that names waits as its successor. Rejecting what was rejected
   * answers the same again, the first reason kept. Throws `AppError` 409 `already_decided`, `payload_mismatch`; with
   * `keep` also `stale_version`, `obsolete` and `open_conflicts`, and 400 for a choice of what the draft does not have.
   */
  reject(actor: Actor, id: string, request?: RejectRequest): Promise<PendingChange>
  /** Merges a stale draft with what changed, as its successor. Throws as `reviewAgain` (review-again.ts). */
  reviewAgain(actor: Actor, id: string): Promise<PendingChange>
  /** Drafts a new page from the text of a draft whose target is gone. Throws as `rescueText`. */
  asNewPage(actor: Actor, id: string): Promise<PendingChange>
}

type RejectRequest = Pick<ApproveRequest, 'payload_sha256'> & {
  reason?: string | undefined
  /** Only what this leaves out is rejected. */
  keep?: Pick<ApproveRequest, 'fields' | 'hunks'> | undefined
}

export type DecisionDeps = ApproveDeps & MismatchDeps & PlanDeps & { lookFirst: LookFirst }

export function createDecisions(deps: DecisionDeps): Decisions {
  const { database, kinds, states } = deps
  const apply = createApply(deps)

  return {
    async approve(actor, id, { payload_sha256, ...request } = {}) {
      const isWhole = Object.values(request).every((choice) => choice === undefined)
      const makePlan = async (change: PendingChange) => {
        await lookAtTargets(deps, [change])
        return isWhole ? planWhole(change) : await planApproval(deps, change, request)
      }
      return await decide(actor, id, makePlan, async (tx, change, plan) => {
        checkHash(change, payload_sha256)
        const terms = termsOf(change, request)
        if (change.status === 'pending') return await apply(tx, actor, change, { terms, plan })
        if (!wasApprovedOn(change, terms)) throw alreadyDecided(change)
        return { change: change.status === 'approved' ? change : await successorOf(tx, change) }
      })
    },

    async reject(actor, id, { keep, ...request } = {}) {
      const makePlan = async (change: PendingChange) => keep && (await planRejection(deps, change, keep))
      return await decide(actor, id, makePlan, async (tx, change, plan) => {
        checkHash(change, request.payload_sha256)
        const terms = keep ? termsOf(change, keep) : {}
        if (change.status === 'rejected' && (!keep || wasRejectedOn(change, terms))) return { change }
        if (change.status !== 'pending') throw alreadyDecided(change)
        const reason = request.reason === undefined ? null : cleanText(request.reason)
        if (!keep) return { change: await states.reject(tx, change, { actor, reason }) }
        await checkRejectsInPart(tx, kinds, change)
        const { base_version } = change
        const kept = await states.succeed(tx, change, { derivation: 'rest', base_version, ...plan() })
        const rejection = { actor, reason, terms, superseded_by: kept.id }
        return { change: await states.reject(tx, change, rejection) }
      })
    },

    async reviewAgain(actor, id) {
      const makePlan = (change: PendingChange) => planMerge(deps, change)
      return await decide(actor, id, makePlan, async (tx, change, plan) => {
        await checkSpace(tx, change)
        if (change.status === 'pending') return await reviewAgain({ kinds, states, actor }, tx, change, plan)
        if (change.decision?.decision !== 'review_again') throw alreadyDecided(change)
        return { change: await successorOf(tx, change) }
      })
    },

    async asNewPage(actor, id) {
      const makePlan = (change: PendingChange) => planRescue(deps, change)
      return await decide(actor, id, makePlan, async (tx, change, plan) => {
        await checkSpace(tx, change)
        const made = change.status === 'obsolete' && change.superseded_by
        return { change: made ? await successorOf(tx, change) : await rescueText(deps, tx, change, plan) }
      })
    },
  }

  // A refusal that has to leave a mark (obsolete) is thrown only after the transaction that marks it.
  async function decide<Plan>(
    actor: Actor,
    id: string,
    makePlan: (change: PendingChange) => Promise<Plan | null | undefined>,
    run: (tx: Tx, change: PendingChange, plan: () => Plan) => Promise<Applied>,
  ): Promise<PendingChange> {
    checkDecides(actor)
    const { change, refusal } = await withCardOfMismatch(deps, () =>
      retryOutdated(async () => {
        const before = await createPendingChangesRepo(database).find(id, { space_ids: null, agent_id: null })
        if (!before) throw notFound('pending change', id)
        // That no plan can be made counts only where the decision takes one.
        const [planned] = await Promise.allSettled([makePlan(before)])
        return await database.transaction(async (tx) => {
          const change = await createPendingChangesRepo(tx).lock(id)
          if (!change) throw notFound('pending change', id)
          return await run(tx, change, () => planOf(planned))
        })
      }),
    )
    if (refusal) throw refusal
    return change
  }
}

/** Before drafts are approved: what changed in the files of their pages comes first. */
export async function lookAtTargets(
  { lookFirst }: Pick<DecisionDeps, 'lookFirst'>,
  changes: readonly PendingChange[],
): Promise<void> {
  const targets = changes.filter(
    ({ status, entity_type, action }) => status === 'pending' && entity_type === 'page' && !makesNew(action),
  )
  for (const [space_id, some] of Map.groupBy(targets, (change) => change.space_id))
    await lookFirst(
      space_id,
      some.map(({ entity_id }) => entity_id),
    )
}

function planOf<Plan>(planned: PromiseSettledResult<Plan | null | undefined>): Plan {
  if (planned.status === 'rejected') throw planned.reason
  if (!planned.value) throw new OutdatedPlan()
  return planned.value
}

/** Throws a 403 `AppError` for whoever may not decide. */
export function checkDecides(actor: Actor): void {
  if (canAct(actor, 'decide', 'pending_change') === 'allow') return
  throw forbidden('Only the owner can decide on pending changes.')
}

/** Of a draft that waits. Throws a 400 or 409 `AppError` for one that cannot be rejected in part as it is. */
async function checkRejectsInPart(tx: Tx, kinds: Kinds, change: PendingChange): Promise<void> {
  if (change.action !== 'update') throw invalid('Only an update can be rejected in part.')
  if (change.conflicts.length > 0) throw conflict('open_conflicts', 'Resolve every conflict first.')
  const kind = kinds.get(change.entity_type)
  const row = await createEntitiesRepo(tx).find(kind, change.space_id, change.entity_id)
  if (!row) throw conflict('obsolete', `The ${kind.label} ${change.entity_id} is gone.`, { current: change })
  if (row.version !== change.base_version) throw await loadStaleError(tx, kind, change, row)
}

async function successorOf(tx: Tx, { superseded_by, ...change }: PendingChange): Promise<PendingChange> {
  const within = { space_ids: [change.space_id], agent_id: null }
  const successor = superseded_by && (await createPendingChangesRepo(tx).find(superseded_by, within))
  if (!successor) throw notFound('successor of pending change', change.id)
  return successor
}

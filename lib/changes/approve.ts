// Applying one draft inside the caller's transaction: what a single approval, a whole changeset and a preview share.
// Locks are taken in one order: drafts by id, the audit chain, then the entities, one write after the other.

import { catchDrill } from '../attention/catch-drill.ts'
import { type Actor, actorName } from '../auth/actor.ts'
import type { PendingChange } from '../contract/card.ts'
import type { Queryable } from '../db/pool.ts'
import { createAuditRepo } from '../db/repos/audit.ts'
import { createEntitiesRepo } from '../db/repos/entities.ts'
import { createPendingChangesRepo } from '../db/repos/pending_changes.ts'
import { createSpacesRepo } from '../db/repos/spaces.ts'
import type { EntityRow, Kind } from '../entities/kind.ts'
import type { Kinds } from '../entities/kinds.ts'
import { AppError, conflict } from '../errors.ts'
import { type ApproveRequest, type Terms, termsOf } from './approval-terms.ts'
import { listChangesSince } from './changes-since.ts'
import type { Ledger } from './ledger.ts'
import { type Plan, planApproval } from './plan-approval.ts'
import { summarizeChange } from './summarize.ts'
import { changedFields } from './validate-fields.ts'
import type { EntityWrite, Writer } from './write.ts'

/** The draft as it now stands, and the entity; `refusal` is thrown once the transaction has committed. */
export type Applied = { change: PendingChange; row?: EntityRow; refusal?: AppError }

/**
 * Applies a draft that waits and whose lock is held. A target that is gone closes the draft as obsolete, with a
 * refusal. Throws `AppError` as `Decisions.approve` says.
 */
export type Apply = (
  tx: Queryable,
  actor: Actor,
  change: PendingChange,
  request?: ApproveRequest,
) => Promise<Applied>

export type ApproveDeps = { kinds: Kinds; writer: Writer; ledger: Ledger }

type Step = { tx: Queryable; actor: Actor; kind: Kind; change: PendingChange; terms: Terms }

export function createApply({ kinds, writer, ledger }: ApproveDeps): Apply {
  return async (tx, actor, change, request = {}) => {
    const kind = kinds.get(change.entity_type)
    const terms = termsOf(change, request)
    const step = { tx, actor, kind, change, terms }
    const caught = await catchDrill({ tx, ledger, actor }, change)
    if (caught) return caught
    await checkSpace(tx, change)
    await createAuditRepo(tx).lock()

    const row =
      change.action === 'create'
        ? null
        : await createEntitiesRepo(tx).lock(kind, change.space_id, change.entity_id)
    if (change.action !== 'create' && (!row || row.deleted_at !== null)) return await closeObsolete(step)
    if (row && row.version !== change.base_version) throw await staleError(tx, kind, change, row)
    return await carryOut(step, planApproval({ kind, row, change, request, terms }))
  }

  async function carryOut(step: Step, plan: Plan): Promise<Applied> {
    switch (plan.way) {
      case 'whole':
        return await approve(step, await write(step, step.change))
      case 'part':
        return await approvePart(step, plan)
      case 'other':
        return await approveOther(step, plan)
    }
  }

  async function approvePart(step: Step, plan: Extract<Plan, { way: 'part' }>): Promise<Applied> {
    const { tx, change } = step
    const row = await write(step, { ...change, payload: plan.chosen })
    const rest = changedFields(row, plan.rest)
    if (Object.keys(rest).length === 0) return await approve(step, row)

    // What is left of a create changes what now exists.
    const successor = await ledger.succeed(tx, change, {
      derivation: 'rest',
      action: 'update',
      payload: rest,
      base_version: row.version,
    })
    return await approve(step, row, successor.id)
  }

  async function approveOther(step: Step, plan: Extract<Plan, { way: 'other' }>): Promise<Applied> {
    const { tx, actor, change, terms } = step
    const { derivation, payload } = plan
    const { base_version } = change
    const successor = await ledger.succeed(tx, change, { derivation, payload, base_version })
    await ledger.close(tx, change, {
      status: 'superseded',
      decided_by: actorName(actor),
      decision: { decision: 'approve', reason: null, ...terms },
      superseded_by: successor.id,
    })
    return await approve({ ...step, change: successor, terms: {} }, await write(step, successor))
  }

  async function approve(
    { tx, actor, change, terms }: Step,
    row: EntityRow,
    superseded_by: string | null = null,
  ): Promise<Applied> {
    const approved = await ledger.close(tx, change, {
      status: 'approved',
      decided_by: actorName(actor),
      decision: { decision: 'approve', reason: null, ...terms },
      result_version: row.version,
      superseded_by,
    })
    return { change: approved, row }
  }

  async function closeObsolete({ tx, kind, change }: Step): Promise<Applied> {
    const obsolete = await ledger.close(tx, change, { status: 'obsolete', decided_by: null })
    const message = `The ${kind.label} ${change.entity_id} is gone, so there is nothing to change.`
    return { change: obsolete, refusal: conflict('obsolete', message, { current: obsolete }) }
  }

  async function write({ tx, actor }: Step, change: PendingChange): Promise<EntityRow> {
    try {
      return await writer.write(tx, toWrite(change), { actor, pendingChangeId: change.id })
    } catch (error) {
      throw await withNeededDraft(tx, kinds, change, error)
    }
  }
}

/** Throws a 409 `AppError` for a draft whose Space is in the trash. */
export async function checkSpace(tx: Queryable, { space_id }: PendingChange): Promise<void> {
  if (await createSpacesRepo(tx).find(space_id, null)) return
  throw conflict('space_deleted', 'The Space of this draft is in the trash. Restore it first.', { space_id })
}

async function staleError(
  tx: Queryable,
  kind: Kind,
  change: PendingChange,
  row: EntityRow,
): Promise<AppError> {
  return conflict(
    'stale_version',
    `The ${kind.label} ${row.id} has changed since version ${change.base_version}; it is now at version ` +
      `${row.version}. Ask to review the draft again: that merges the two.`,
    { current: row, since: await listChangesSince(tx, kind, change) },
  )
}

/** A reference to what another draft would create names that draft. */
async function withNeededDraft(
  tx: Queryable,
  kinds: Kinds,
  change: PendingChange,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof AppError) || error.code !== 'missing_reference') return error
  const id = error.details?.entity_id
  if (typeof id !== 'string') return error
  const needed = await createPendingChangesRepo(tx).findCreator(change.space_id, change.changeset_id, id)
  if (!needed) return error

  const { entity_type, status } = needed
  const summary = summarizeChange(kinds.get(entity_type), needed, null)
  const message =
    status === 'pending'
      ? `This needs another draft of the changeset first: ${summary}.`
      : `This needs what another draft would have made, which is ${status}: ${summary}.`
  return conflict('missing_reference', message, {
    ...error.details,
    needs: { pending_change_id: needed.id, entity_type, entity_id: id, status, summary },
  })
}

/** The write that a draft stands for. */
export function toWrite(change: PendingChange): EntityWrite {
  const target = { type: change.entity_type, space_id: change.space_id, id: change.entity_id }
  switch (change.action) {
    case 'create':
      return { ...target, action: 'create', fields: change.payload, origin: 'agent' }
    case 'update':
      return { ...target, action: 'update', version: change.base_version!, fields: change.payload }
    case 'delete':
      return { ...target, action: 'delete', version: change.base_version! }
  }
}

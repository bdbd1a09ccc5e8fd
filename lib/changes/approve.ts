// Applying one draft inside the caller's transaction: what a single approval, a whole changeset and a preview share.
// Locks are taken in one order: drafts by id, the audit chain, then the entities, one write after the other. Below it is
// what refuses a decision.

import { renameLinks } from '../content/links/rewrite-links.ts'
import type { EntityWrite } from '../content/writes/store-entity.ts'
import { changedFields } from '../content/writes/validate-fields.ts'
import type { Writer } from '../content/writes/write.ts'
import { makesNew } from '../contract/changes/decision.ts'
import type { PendingChange } from '../contract/changes/pending-change.ts'
import { maxRoutines } from '../contract/companion/routines.ts'
import { type EntityRow, type Kind, textOf, titleOf } from '../contract/entities/kind.ts'
import type { Kinds } from '../contract/entities/kinds.ts'
import type { Actor } from '../core/actor.ts'
import { AppError, conflict } from '../core/errors.ts'
import { mergeMemory } from '../core/text/memory/memory-lines.ts'
import type { Database, Queryable, Tx } from '../db/pool.ts'
import { createAuditRepo } from '../db/repos/audit.ts'
import { createEntitiesRepo } from '../db/repos/entities.ts'
import { createPendingChangeListsRepo } from '../db/repos/pending_change_lists.ts'
import { createRoutinesRepo } from '../db/repos/routines.ts'
import { createSpacesRepo } from '../db/repos/spaces.ts'
import { loadCardLines } from './card/load-card-lines.ts'
import { type LoadCards, loadCard, loadChangesSince } from './card/load-cards.ts'
import type { DraftStates } from './draft-states.ts'
import { type Plan, planWhole, type Terms } from './plan-approval.ts'

/** The draft as it now is, and the entity; `refusal` is thrown once the transaction has committed. */
export type Applied = { change: PendingChange; row?: EntityRow; refusal?: AppError }

/**
 * Applies a draft that waits and whose lock is held; without an `approval`, as it is. A target that is gone closes the draft
 * as obsolete, with a refusal. Throws `AppError` as `Decisions.approve` says.
 */
export type Apply = (tx: Tx, actor: Actor, change: PendingChange, approval?: Approval) => Promise<Applied>

/** `plan`: made before the transaction; asked for once it is known that the draft can be applied, and may throw. */
type Approval = { terms: Terms; plan: () => Plan }

export type ApproveDeps = {
  kinds: Kinds
  writer: Writer
  states: DraftStates
}

/** `before`: the target as the draft was made for it; null for a create. */
type Step = ApproveDeps & {
  tx: Tx
  actor: Actor
  kind: Kind
  change: PendingChange
  before: EntityRow | null
  terms: Terms
}

export function createApply(deps: ApproveDeps): Apply {
  return async (tx, actor, change, approval = { terms: {}, plan: () => planWhole(change) }) => {
    await checkSpace(tx, change)
    await createAuditRepo(tx).lock()
    await checkRoutines(tx, change)

    const kind = deps.kinds.get(change.entity_type)
    const row = makesNew(change.action)
      ? null
      : await createEntitiesRepo(tx).lock(kind, change.space_id, change.entity_id)
    const step = { ...deps, tx, actor, kind, change, before: row, terms: approval.terms }
    const memory = await findMemory(tx, kind, change)
    if (memory)
      return memory.deleted_at === null ? await remember(step, memory, approval) : await closeObsolete(step)
    if (!makesNew(change.action) && (!row || row.deleted_at !== null)) return await closeObsolete(step)
    if (row && row.version !== change.base_version) throw await loadStaleError(tx, kind, change, row)
    return await applyPlan(step, approval.plan())
  }
}

/** The memory page that a draft would create, where the owner has opened it meanwhile. Nothing else has its id before. */
const findMemory = async (tx: Tx, kind: Kind, { action, space_id, entity_id }: PendingChange) =>
  action === 'create' && kind.type === 'page'
    ? await createEntitiesRepo(tx).lock(kind, space_id, entity_id)
    : null

/** Adds the lines of the draft to the page. */
async function remember(step: Step, row: EntityRow, { plan: makePlan }: Approval): Promise<Applied> {
  const { tx, actor, change, writer } = step
  const plan = makePlan()
  const { body } =
    plan.way === 'whole' ? change.payload : plan.way === 'part' ? plan.chosen : plan.next.payload
  const fields = { body: mergeMemory(textOf(row.body), textOf(body)) }
  const { id, space_id, version } = row
  const write = { action: 'update' as const, type: change.entity_type, space_id, id, version, fields }
  return await approve(step, await writer.write(tx, write, { actor, pendingChangeId: change.id }))
}

async function applyPlan(step: Step, plan: Plan): Promise<Applied> {
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
  const { tx, change, states } = step
  const row = await write(step, { ...change, payload: plan.chosen })
  const payload = changedFields(row, restOn(row, step, plan))
  if (Object.keys(payload).length === 0) return await approve(step, row)

  // What is left of a create changes what now exists.
  const successor = await states.succeed(tx, change, {
    derivation: 'rest',
    action: 'update',
    payload,
    provenance: plan.rest.provenance,
    base_version: row.version,
  })
  return await approve(step, row, successor.id)
}

/** The rest on top of the row as it was stored: links to itself that a new title turned are turned in the rest, too. */
function restOn(
  row: EntityRow,
  { kind: { bodyField }, before }: Step,
  { chosen, rest: { payload } }: Extract<Plan, { way: 'part' }>,
): Record<string, unknown> {
  const text = payload[bodyField]
  const isTurned = before !== null && row[bodyField] !== (chosen[bodyField] ?? before[bodyField])
  if (!isTurned || typeof text !== 'string') return payload
  const renamed = renameLinks(text, titleOf(before), titleOf(row))
  return { ...payload, [bodyField]: renamed.text }
}

async function approveOther(step: Step, plan: Extract<Plan, { way: 'other' }>): Promise<Applied> {
  const { tx, actor, change, terms, states } = step
  const { derivation, next } = plan
  const { base_version } = change
  const successor = await states.succeed(tx, change, { derivation, ...next, base_version })
  await states.supersede(tx, change, {
    actor,
    superseded_by: successor.id,
    decision: { decision: 'approve', reason: null, ...terms },
  })
  return await approve({ ...step, change: successor, terms: {} }, await write(step, successor))
}

async function approve(
  { tx, actor, change, terms, states }: Step,
  row: EntityRow,
  superseded_by: string | null = null,
): Promise<Applied> {
  const result_version = row.version
  const approved = await states.approve(tx, change, { actor, terms, result_version, superseded_by })
  return { change: approved, row }
}

async function closeObsolete({ tx, kind, change, states }: Step): Promise<Applied> {
  const obsolete = await states.markObsolete(tx, change)
  const message = `The ${kind.label} ${change.entity_id} is gone, so there is nothing to change.`
  return { change: obsolete, refusal: conflict('obsolete', message, { current: obsolete }) }
}

async function write({ tx, actor, kinds, writer }: Step, change: PendingChange): Promise<EntityRow> {
  try {
    return await writer.write(tx, toWrite(change), { actor, pendingChangeId: change.id })
  } catch (error) {
    throw await withNeededDraft(tx, kinds, change, error)
  }
}

/** Throws a 409 `AppError` for a draft whose Space is in the trash. */
export async function checkSpace(tx: Tx, { space_id }: PendingChange): Promise<void> {
  if (await createSpacesRepo(tx).find(space_id, null)) return
  throw conflict('space_deleted', 'The Space of this draft is in the trash. Restore it first.', { space_id })
}

/** Throws a 409 `AppError` for a routine for which its Space has no room: what is approved is made. */
async function checkRoutines(tx: Tx, { entity_type, space_id }: PendingChange): Promise<void> {
  if (entity_type !== 'routine' || (await createRoutinesRepo(tx).count(space_id)) < maxRoutines) return
  const message = `This Space has ${maxRoutines} routines, which is the limit. Delete one, then approve this.`
  throw conflict('too_many_routines', message, { limit: maxRoutines })
}

/** The write that approving a draft makes. */
function toWrite(change: PendingChange): EntityWrite {
  const target = { type: change.entity_type, space_id: change.space_id, id: change.entity_id }
  switch (change.action) {
    case 'create':
    case 'call':
      return { ...target, action: 'create', fields: change.payload, origin: 'agent' }
    case 'update':
      return { ...target, action: 'update', version: change.base_version!, fields: change.payload }
    case 'delete':
      return { ...target, action: 'delete', version: change.base_version! }
  }
}

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
async function withNeededDraft(
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
  const [line] = await loadCardLines(tx, kinds, [needed])
  const summary = line!.summary
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

// What becomes of a draft that its target has moved past, or whose target is gone: a new draft to be looked at, merged with
// what changed, or of a new page with its text. Nothing is applied here.

import { v7 as uuid } from 'uuid'
import { findPastFields } from '../content/writes/history.ts'
import { validateCreate } from '../content/writes/validate-fields.ts'
import { makesNew } from '../contract/changes/decision.ts'
import type { PendingChange } from '../contract/changes/pending-change.ts'
import type { Provenance } from '../contract/changes/provenance.ts'
import { type EntityRow, textOf, titleOf } from '../contract/entities/kind.ts'
import type { Kinds } from '../contract/entities/kinds.ts'
import type { Actor } from '../core/actor.ts'
import type { ErrorCode } from '../core/error-codes.ts'
import { conflict } from '../core/errors.ts'
import type { Queryable, Tx } from '../db/pool.ts'
import { createEntitiesRepo } from '../db/repos/entities.ts'
import { createPendingChangesRepo } from '../db/repos/pending_changes.ts'
import { OutdatedPlan } from '../jobs/workers/text-threads.ts'
import type { Applied } from './approve.ts'
import { type MergedDraft, mergeInThread } from './compare-drafts.ts'
import type { DraftStates } from './draft-states.ts'
import { recheckQuotes } from './grounding/provenance.ts'
import type { PlanDeps } from './plan-approval.ts'

/** A draft merged with its target at that version. */
type Merge = MergedDraft & { version: number; provenance: Provenance }

/** Merges a draft before the transaction that stores it; null for one that is not stale, or whose target is gone. */
export async function planMerge(deps: PlanDeps, change: PendingChange): Promise<Merge | null> {
  const { database, kinds } = deps
  const { status, space_id, entity_type, entity_id, base_version } = change
  if (status !== 'pending' || base_version === null) return null
  const row = await createEntitiesRepo(database).find(kinds.get(entity_type), space_id, entity_id)
  if (!row || row.version === base_version) return null
  const merged = await merge(deps, change, row)
  const next = { ...change, payload: merged.payload, row }
  return { ...merged, version: row.version, provenance: await recheckQuotes(database, deps, change, next) }
}

async function merge(
  { database, kinds, threads }: PlanDeps,
  change: PendingChange,
  current: EntityRow,
): Promise<MergedDraft> {
  const draft = await createPendingChangesRepo(database).findUnmerged(change)
  const kind = kinds.get(change.entity_type)
  const { payload, base_version } = draft
  const version = base_version ?? 1
  const base = await findPastFields(database, kind, current, { version, fields: Object.keys(payload) })
  return await mergeInThread(threads, { bodyField: kind.bodyField, base, current, payload })
}

type Deciding = { kinds: Kinds; states: DraftStates; actor: Actor }

/**
 * Stores the merge in the place of a draft that waits and whose lock is held. Throws a 409 `AppError` `not_stale` for one
 * that can be approved as it is. A target that is gone (`obsolete`), or that says all of it already (`nothing_left`),
 * closes the draft as obsolete, with that refusal.
 */
export async function reviewAgain(
  { kinds, states, actor }: Deciding,
  tx: Tx,
  change: PendingChange,
  plan: () => Merge,
): Promise<Applied> {
  const kind = kinds.get(change.entity_type)
  if (change.base_version === null) throw notStale(change)
  const row = await createEntitiesRepo(tx).find(kind, change.space_id, change.entity_id)
  if (!row) {
    const message = `The ${kind.label} ${change.entity_id} is gone. You can create a page from the draft’s text.`
    return await closeObsolete('obsolete', message)
  }
  if (row.version === change.base_version) throw notStale(change)

  const { version, ...merged } = plan()
  if (version !== row.version) throw new OutdatedPlan()
  if (change.action === 'update' && Object.keys(merged.payload).length + merged.conflicts.length === 0) {
    return await closeObsolete('nothing_left', `The ${kind.label} ${row.id} already contains all of this.`)
  }
  const successor = await states.succeed(tx, change, {
    derivation: 'merged',
    base_version: version,
    ...merged,
  })
  await states.supersede(tx, change, {
    actor,
    superseded_by: successor.id,
    decision: { decision: 'review_again', reason: null },
  })
  return { change: successor }

  async function closeObsolete(code: ErrorCode, message: string): Promise<Applied> {
    const obsolete = await states.markObsolete(tx, change)
    return { change: obsolete, refusal: conflict(code, message, { current: obsolete }) }
  }
}

const notStale = ({ id }: PendingChange) =>
  conflict('not_stale', `Nothing has changed since pending change ${id} was created. Approve it as it is.`)

/** The provenance of the page that `rescueText` drafts. Throws as that does. */
export async function planRescue(deps: PlanDeps, change: PendingChange): Promise<Provenance> {
  const payload = await findRescuedText(deps.database, deps.kinds, change)
  const next = {
    entity_type: 'page',
    entity_id: change.entity_id,
    action: 'create',
    payload,
    row: null,
  } as const
  return await recheckQuotes(deps.database, deps, change, next)
}

/**
 * Drafts a new page with the text of a draft whose target is gone, to be looked at like any other. The draft's lock is
 * held. Throws a 409 `AppError`: `not_obsolete` while there is a target, `no_text` for one that carries no text.
 */
export async function rescueText(
  { kinds, states }: { kinds: Kinds; states: DraftStates },
  tx: Tx,
  change: PendingChange,
  plan: () => Provenance,
): Promise<PendingChange> {
  const payload = await findRescuedText(tx, kinds, change)
  const obsolete = change.status === 'obsolete' ? change : await states.markObsolete(tx, change)
  const successor = await states.succeed(tx, obsolete, {
    derivation: 'rescued',
    action: 'create',
    entity_type: 'page',
    entity_id: uuid(),
    payload,
    provenance: plan(),
    base_version: null,
  })
  await states.nameSuccessor(tx, obsolete, successor)
  return successor
}

async function findRescuedText(
  db: Queryable,
  kinds: Kinds,
  change: PendingChange,
): Promise<Record<string, unknown>> {
  const kind = kinds.get(change.entity_type)
  const row = await createEntitiesRepo(db).findWithinSpaces(kind, [change.space_id], change.entity_id)
  const gone = !makesNew(change.action) && (!row || row.deleted_at !== null)
  if (change.status !== 'obsolete' && !(change.status === 'pending' && gone)) {
    throw conflict('not_obsolete', `Pending change ${change.id} still has a target. Decide on it instead.`)
  }
  const body = textOf(change.payload[kind.bodyField])
  if (body === '') {
    throw conflict('no_text', `Pending change ${change.id} has no text for a page.`)
  }
  const title =
    textOf(change.payload.title) || (row ? titleOf(row) : '') || `Text for a ${kind.label} that is gone`
  return validateCreate(kinds.get('page'), { title, body })
}

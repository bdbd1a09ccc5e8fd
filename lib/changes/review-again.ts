// A draft that its target has moved past is merged with what changed, as a new draft to be looked at. Nothing is
// applied here.

import { type Actor, actorName } from '../actor.ts'
import type { PendingChange } from '../contract/changes/pending-change.ts'
import type { Queryable } from '../db/pool.ts'
import { createEntitiesRepo } from '../db/repos/entities.ts'
import { createPendingChangesRepo } from '../db/repos/pending_changes.ts'
import type { EntityRow, Kind } from '../entities/kind.ts'
import type { Kinds } from '../entities/kinds.ts'
import { conflict } from '../errors.ts'
import type { Compute } from '../workers/compute.ts'
import { textTask } from '../workers/text-threads.ts'
import { findPastFields } from '../writes/past-fields.ts'
import type { Applied } from './approve.ts'
import type { Ledger } from './ledger.ts'
import { type MergedDraft, type MergeInput, mergeDraft } from './merge-draft.ts'

/**
 * The merged draft, which takes the place of one that waits and whose lock is held. Throws a 409 `AppError`
 * `not_stale` for one that can be approved as it is. A target that is gone (`obsolete`), or that says all of it
 * already (`nothing_left`), closes the draft as obsolete, with that refusal.
 */
export async function reviewAgain(
  { kinds, ledger, compute }: { kinds: Kinds; ledger: Ledger; compute: Compute },
  tx: Queryable,
  actor: Actor,
  change: PendingChange,
): Promise<Applied> {
  const kind = kinds.get(change.entity_type)
  if (change.base_version === null) throw notStale(change)
  const row = await createEntitiesRepo(tx).find(kind, change.space_id, change.entity_id)
  if (!row) {
    const message = `The ${kind.label} ${change.entity_id} is gone. You can create a page from the draft’s text.`
    return await closeObsolete('obsolete', message)
  }
  if (row.version === change.base_version) throw notStale(change)

  const merged = await merge(tx, compute, { kind, change, current: row })
  if (change.action === 'update' && Object.keys(merged.payload).length + merged.conflicts.length === 0) {
    return await closeObsolete('nothing_left', `The ${kind.label} ${row.id} already contains all of this.`)
  }
  const base_version = row.version
  const successor = await ledger.succeed(tx, change, { derivation: 'merged', base_version, ...merged })
  await ledger.close(tx, change, {
    status: 'superseded',
    decided_by: actorName(actor),
    decision: { decision: 'review_again', reason: null },
    superseded_by: successor.id,
  })
  return { change: successor }

  async function closeObsolete(code: string, message: string): Promise<Applied> {
    const obsolete = await ledger.close(tx, change, { status: 'obsolete', decided_by: null })
    return { change: obsolete, refusal: conflict(code, message, { current: obsolete }) }
  }
}

const mergeTask = textTask(new URL('./merge-draft.ts', import.meta.url), mergeDraft)

/** As `mergeDraft`, in a thread where the texts are large; a text that is too complex to merge is one conflict. */
export async function mergeWithin(compute: Compute, tx: Queryable, input: MergeInput): Promise<MergedDraft> {
  return (await compute(tx, mergeTask, input)) ?? mergeDraft({ ...input, mergesText: false })
}

// A merge whose conflicts are open has less text than the draft it was made from, so the original draft is merged
// again.
async function merge(
  tx: Queryable,
  compute: Compute,
  { kind, change, current }: { kind: Kind; change: PendingChange; current: EntityRow },
): Promise<MergedDraft> {
  const within = { space_ids: [change.space_id], agent_id: change.agent_id }
  let draft = change
  while (draft.conflicts.length > 0 && draft.supersedes) {
    const earlier = await createPendingChangesRepo(tx).find(draft.supersedes, within)
    if (!earlier) break
    draft = earlier
  }
  const { payload, base_version } = draft
  const version = base_version ?? 1
  const base = await findPastFields(tx, kind, current, { version, fields: Object.keys(payload) })
  return await mergeWithin(compute, tx, { bodyField: kind.bodyField, base, current, payload })
}

const notStale = ({ id }: PendingChange) =>
  conflict('not_stale', `Nothing has changed since pending change ${id} was created. Approve it as it is.`)

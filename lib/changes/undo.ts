// Taking a change back: the owner's own as well as an approved draft's. An undo is a change like any other: it goes
// through the one write path and has an audit row, which names the row that it takes back. What was done since is never
// overwritten: what can be merged is merged (plan-undo.ts), anything else is refused with both sides (settle-undo.ts).

import type { Actor } from '../auth/actor.ts'
import { canAct } from '../auth/capability.ts'
import type { Undone } from '../contract/history.ts'
import type { Database, Queryable } from '../db/pool.ts'
import { type AuditRow, createAuditRepo, type UndoRow } from '../db/repos/audit.ts'
import { createPendingChangesRepo } from '../db/repos/pending_changes.ts'
import type { Kinds } from '../entities/kinds.ts'
import { AppError, conflict, forbidden, invalid, notFound } from '../errors.ts'
import { foldChanges, planUndo } from './plan-undo.ts'
import { type Settlement, settleUndo } from './settle-undo.ts'
import { findSubject, type UndoSubject } from './undo-subject.ts'
import { undoOf } from './undone.ts'
import type { Writer } from './write.ts'

export type UndoOptions = {
  /** The first of a run of updates of one entity that are taken back as one. */
  since?: number | undefined
  settle?: Settlement | undefined
}

/**
 * Each throws `AppError`: 404 for what is unknown; 409 `undo_conflict` (details: an `UndoConflict`) when later edits
 * overlap, `gone` when the thing is gone for good, `in_trash` and `space_deleted` when it has to be restored first,
 * `not_undoable` for what has no way back. Taking back what is taken back already answers with that undo again.
 */
export type Undo = {
  change(actor: Actor, seq: number, options?: UndoOptions): Promise<Undone>
  /** What approving a draft changed. 409 `not_applied` for one that changed nothing. */
  draft(actor: Actor, pendingChangeId: string, options?: Pick<UndoOptions, 'settle'>): Promise<Undone>
  /** All that was applied of a changeset, the last first: all of it or nothing. */
  changeset(actor: Actor, changesetId: string): Promise<Undone[]>
}

export type UndoDeps = { database: Database; kinds: Kinds; writer: Writer; now: () => Date }

export function createUndo(deps: UndoDeps): Undo {
  const { database } = deps
  return {
    async change(actor, seq, options = {}) {
      checkOwner(actor)
      return await database.transaction((tx) => undoRun(tx, actor, seq, options))
    },

    async draft(actor, pendingChangeId, options = {}) {
      checkOwner(actor)
      return await database.transaction(async (tx) => {
        const change = await createPendingChangesRepo(tx).lock(pendingChangeId)
        if (!change) throw notFound('pending change', pendingChangeId)
        const applied = await createAuditRepo(tx).findOfChange(change.space_id, change.id)
        if (!applied) throw conflict('not_applied', `The draft ${change.id} changed nothing.`)
        return await undoRun(tx, actor, applied.seq, options)
      })
    },

    async changeset(actor, changesetId) {
      checkOwner(actor)
      return await database.transaction(async (tx) => {
        const applied = await createAuditRepo(tx).listOfChangeset(changesetId)
        if (!applied) throw notFound('changeset', changesetId)
        if (applied.length === 0) {
          throw conflict('not_applied', `Nothing of the changeset ${changesetId} was applied.`)
        }
        const undone: Undone[] = []
        for (const { seq } of applied.toReversed()) undone.push(await undoRun(tx, actor, seq, {}))
        return undone
      })
    },
  }

  async function undoRun(tx: Queryable, actor: Actor, seq: number, options: UndoOptions): Promise<Undone> {
    await createAuditRepo(tx).lock()
    const since = options.since ?? null
    const run = await findRun(tx, seq, since)
    const last = run.at(-1)!
    const subject = await findSubject(tx, deps, last)
    const audit = createAuditRepo(tx)
    const earlier = undoOf(last.seq, await audit.listUndos(last.entity_id))
    if (earlier && earlier.undoes_since === since) return await toUndone(tx, last, subject.row, earlier)

    const plan = planUndo(foldChanges(run.map(toPastChange)), subject.row)
    if (plan.action === 'none') return await toUndone(tx, last, subject.row, earlier)
    if (plan.action === 'impossible') {
      throw conflict('not_undoable', `There is no way back from the change ${seq} (${last.action}).`)
    }
    const settled = await settleUndo(tx, { last, row: subject.row, plan }, options.settle)
    const row = await explained(() => subject.write(actor, settled, { seq: last.seq, since }))
    const made = undoOf(last.seq, await audit.listUndos(last.entity_id))
    return await toUndone(tx, last, row, made)
  }
}

async function findRun(tx: Queryable, seq: number, since: number | null): Promise<AuditRow[]> {
  const run = await createAuditRepo(tx).listRun(seq, since)
  if (run.at(-1)?.seq !== seq) throw notFound('change', String(seq))
  if (since === null) return run
  if (since >= seq || run[0]?.seq !== since)
    throw invalid(`since: ${since} is no earlier change of this thing.`)
  if (run.some(({ action }) => action !== 'update')) {
    throw invalid('Only updates can be taken back together; a create, a delete or a restore stands alone.')
  }
  return run
}

// What was a valid state once may not be one now: a page below which its old parent stands today.
async function explained<Row>(write: () => Promise<Row>): Promise<Row> {
  try {
    return await write()
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'invalid')) throw error
    throw conflict('not_undoable', `It cannot be as it was before. ${error.message}`, error.details)
  }
}

async function toUndone(
  tx: Queryable,
  last: AuditRow,
  row: UndoSubject['row'],
  undo: UndoRow | null,
): Promise<Undone> {
  const { entity_type, entity_id, space_id } = last
  return {
    entity_type,
    entity_id,
    space_id,
    seq: undo?.seq ?? null,
    did: undo?.action ?? null,
    row,
    draft: await findDraft(tx, last),
  }
}

/** The draft that the change came from, also through undos of undos, and whether it is taken back now. */
async function findDraft(tx: Queryable, last: AuditRow): Promise<Undone['draft']> {
  const audit = createAuditRepo(tx)
  let root = last
  while (root.undoes !== null) {
    const [next] = await audit.listRun(root.undoes, null)
    if (!next) return null
    root = next
  }
  if (root.pending_change_id === null) return null
  const undone = undoOf(root.seq, await audit.listUndos(root.entity_id)) !== null
  return { pending_change_id: root.pending_change_id, undone }
}

function checkOwner(actor: Actor): void {
  if (canAct(actor, 'decide', 'pending_change') === 'allow') return
  throw forbidden('Only the owner takes changes back.')
}

const toPastChange = ({ action, before, after }: AuditRow) => ({
  action,
  before: before ?? {},
  after: after ?? {},
})

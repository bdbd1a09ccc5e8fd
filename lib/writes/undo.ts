// Undo of a change, the owner's own or an approved draft's. An undo is a change like any other: it goes through the one
// write path and has an audit row, which names the row that it undoes. Later edits are never overwritten: what can be
// merged is merged (plan-undo.ts), anything else is refused with both sides (settle-undo.ts).

import type { Actor } from '../actor.ts'
import { canAct } from '../auth/capability.ts'
import type { AuditRow } from '../contract/audit.ts'
import type { Undone } from '../contract/entities/history.ts'
import type { Database, Queryable } from '../db/pool.ts'
import { createAuditRepo, type UndoRow } from '../db/repos/audit.ts'
import { createPendingChangesRepo } from '../db/repos/pending_changes.ts'
import { AppError, conflict, forbidden, invalid, notFound } from '../errors.ts'
import type { Compute } from '../workers/compute.ts'
import { textTask } from '../workers/text-threads.ts'
import { foldChanges, type PlanInput, planUndo, type UndoPlan } from './plan-undo.ts'
import { type Settlement, settleUndo } from './settle-undo.ts'
import { findSubject, type SubjectDeps, type UndoSubject } from './undo-subject.ts'
import { undoOf } from './undone.ts'

type UndoOptions = {
  /** The first of a run of updates of one entity, undone as one. */
  since?: number | undefined
  settle?: Settlement | undefined
}

/**
 * Each throws `AppError`: 404 for what is unknown; 409 `undo_conflict` (details: an `UndoConflict`) when later edits
 * overlap, `gone` when the entity was permanently deleted, `in_trash` and `space_deleted` when it has to be restored first,
 * `not_undoable` for a change that cannot be undone. Undoing what is already undone returns the earlier undo.
 */
export type Undo = {
  change(actor: Actor, seq: number, options?: UndoOptions): Promise<Undone>
  /** Undoes what approving a draft changed. 409 `not_applied` for a draft that was not applied. */
  draft(actor: Actor, pendingChangeId: string, options?: Pick<UndoOptions, 'settle'>): Promise<Undone>
  /** Undoes everything that was applied of a changeset, newest first: all of it or nothing. */
  changeset(actor: Actor, changesetId: string): Promise<Undone[]>
}

type UndoDeps = SubjectDeps & { database: Database; compute: Compute }

export function createUndo(deps: UndoDeps): Undo {
  const { database, compute } = deps
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
        if (!applied) throw conflict('not_applied', `The draft ${change.id} was not applied.`)
        return await undoRun(tx, actor, applied.seq, options)
      })
    },

    async changeset(actor, changesetId) {
      checkOwner(actor)
      return await database.transaction(async (tx) => {
        const applied = await createAuditRepo(tx).listOfChangeset(changesetId)
        if (!applied) throw notFound('changeset', changesetId)
        if (applied.length === 0) {
          throw conflict('not_applied', `No draft of the changeset ${changesetId} was applied.`)
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

    const change = foldChanges(run.map(toPastChange))
    const plan = await planWithin(compute, tx, { change, row: subject.row })
    if (plan.action === 'none') return await toUndone(tx, last, subject.row, earlier)
    if (plan.action === 'impossible') {
      throw conflict('not_undoable', `The change ${seq} (${last.action}) cannot be undone.`)
    }
    const settled = await settleUndo(tx, { last, row: subject.row, plan }, options.settle)
    const row = await explainInvalid(() => subject.write(actor, settled, { seq: last.seq, since }))
    const made = undoOf(last.seq, await audit.listUndos(last.entity_id))
    return await toUndone(tx, last, row, made)
  }
}

const planTask = textTask(new URL('./plan-undo.ts', import.meta.url), planUndo)

/** The plan; texts that are too complex to merge are left to the owner. */
async function planWithin(compute: Compute, tx: Queryable, input: PlanInput): Promise<UndoPlan> {
  return (await compute(tx, planTask, input)) ?? planUndo({ ...input, mergesTexts: false })
}

async function findRun(tx: Queryable, seq: number, since: number | null): Promise<AuditRow[]> {
  const run = await createAuditRepo(tx).listRun(seq, since)
  if (run.at(-1)?.seq !== seq) throw notFound('change', String(seq))
  if (since === null) return run
  if (since >= seq || run[0]?.seq !== since)
    throw invalid(`since: ${since} is not an earlier change of this entity.`)
  if (run.some(({ action }) => action !== 'update')) {
    throw invalid('Only updates can be undone together. Undo a create, a delete or a restore by itself.')
  }
  return run
}

// An earlier state may be invalid now: a page whose old parent is below it today.
async function explainInvalid<Row>(write: () => Promise<Row>): Promise<Row> {
  try {
    return await write()
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'invalid')) throw error
    throw conflict('not_undoable', `The change cannot be undone. ${error.message}`, error.details)
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

/** The draft that the change came from, also through undos of undos, and whether it is undone now. */
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
  throw forbidden('Only the owner can undo changes.')
}

const toPastChange = ({ action, before, after }: AuditRow) => ({
  action,
  before: before ?? {},
  after: after ?? {},
})

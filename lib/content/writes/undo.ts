// Undo of a change, the owner's own or an approved draft's. An undo is a change like any other: it goes through the one
// write path and has an audit row, which names the row that it undoes. Later edits are never overwritten: what can be
// merged is merged (plan-undo.ts), anything else is refused with both sides. What is
// merged is merged before the transaction begins.

import { canAct } from '../../auth/capability.ts'
import type { AuditRow } from '../../contract/audit.ts'
import type { Undone } from '../../contract/entities.ts'
import type { Actor } from '../../core/actor.ts'
import { AppError, conflict, forbidden, invalid, notFound } from '../../core/errors.ts'
import type { Database, Tx } from '../../db/pool.ts'
import { createAuditRepo, type UndoRow } from '../../db/repos/audit.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createPendingChangesRepo } from '../../db/repos/pending_changes.ts'
import {
  maxMainThread,
  OutdatedPlan,
  retryOutdated,
  type TextThreads,
  textLength,
  textTask,
} from '../../jobs/workers/text-threads.ts'
import { holdRenames } from './follow-renames.ts'
import { undoOf } from './history.ts'
import {
  type CurrentRow,
  foldChanges,
  isClean,
  type PlanInput,
  planUndo,
  type UndoPlan,
} from './plan-undo.ts'
import {
  findSubject,
  type Settlement,
  type SubjectDeps,
  settleUndo,
  type UndoSubject,
  valuesOf,
} from './undo-subject.ts'
import { changedFields } from './validate-fields.ts'
import type { LookFirst } from './write.ts'

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
  /** Undoes what was applied of a changeset, or of those of its drafts that are named, newest first: all or nothing. */
  changeset(actor: Actor, changesetId: string, drafts?: readonly string[]): Promise<Undone[]>
}

type UndoDeps = SubjectDeps & { database: Database; threads: TextThreads; lookFirst: LookFirst }

/** By the change and the version of the entity that each is for. */
type Plans = ReadonlyMap<string, UndoPlan>

export function createUndo(deps: UndoDeps): Undo {
  const { database } = deps
  return {
    async change(actor, seq, options = {}) {
      checkOwner(actor)
      return (await undoAll(actor, [seq], options))[0]!
    },

    async draft(actor, pendingChangeId, options = {}) {
      checkOwner(actor)
      const anywhere = { space_ids: null, agent_id: null }
      const change = await createPendingChangesRepo(database).find(pendingChangeId, anywhere)
      if (!change) throw notFound('pending change', pendingChangeId)
      const applied = await createAuditRepo(database).findOfChange(change.space_id, change.id)
      if (!applied) throw conflict('not_applied', `The draft ${change.id} was not applied.`)
      return (await undoAll(actor, [applied.seq], options))[0]!
    },

    async changeset(actor, changesetId, drafts) {
      checkOwner(actor)
      const all = await createAuditRepo(database).listOfChangeset(changesetId)
      if (!all) throw notFound('changeset', changesetId)
      const applied = all.filter(({ pending_change_id: id }) => !drafts || (id && drafts.includes(id)))
      if (applied.length === 0) {
        throw conflict('not_applied', `No draft of the changeset ${changesetId} was applied.`)
      }
      const seqs = applied.toReversed().map(({ seq }) => seq)
      return await undoAll(actor, seqs, {})
    },
  }

  async function undoAll(actor: Actor, seqs: readonly number[], options: UndoOptions): Promise<Undone[]> {
    await lookAtPages(deps, seqs)
    return await retryOutdated(async () => {
      const plans = await planUndos(deps, seqs, options.since ?? null)
      return await database.transaction(async (tx) => {
        const undone: Undone[] = []
        for (const run of await groupRenames(tx, seqs)) {
          const undoEach = async () => {
            for (const seq of run) undone.push(await undoRun(tx, actor, { seq, plans, ...options }))
          }
          await (run.length > 1 ? holdRenames(tx, undoEach) : undoEach())
        }
        return undone
      })
    })
  }

  async function undoRun(
    tx: Tx,
    actor: Actor,
    { seq, plans, since: first, settle }: UndoOptions & { seq: number; plans: Plans },
  ): Promise<Undone> {
    const since = first ?? null
    await createAuditRepo(tx).lock()
    const run = await findRun(tx, seq, since)
    const last = run.at(-1)!
    const subject = await findSubject(tx, deps, last)
    const audit = createAuditRepo(tx)
    const earlier = undoOf(last.seq, await audit.listUndos(last.entity_id))
    if (earlier && earlier.undoes_since === since) return await toUndone(tx, last, subject.row, earlier)

    const change = foldChanges(run.map(toPastChange))
    const plan = plans.get(keyOf(seq, subject.row)) ?? planAtOnce({ change, row: subject.row })
    if (plan.action === 'none') return await toUndone(tx, last, subject.row, earlier)
    if (plan.action === 'impossible') {
      throw conflict('not_undoable', `The change ${seq} (${last.action}) cannot be undone.`)
    }
    const settled = await settleUndo(tx, { last, row: subject.row, plan }, settle)
    const row = await explainInvalid(() => subject.write(actor, settled, { seq: last.seq, since }))
    const made = undoOf(last.seq, await audit.listUndos(last.entity_id))
    return await toUndone(tx, last, row, made)
  }
}

/** What changed in the files of pages comes first, as before an edit: a later change that overlaps refuses the undo. */
async function lookAtPages({ database, lookFirst }: UndoDeps, seqs: readonly number[]): Promise<void> {
  const rows = (await Promise.all(seqs.map((seq) => createAuditRepo(database).listRun(seq, null)))).flat()
  const pages = rows.filter(({ entity_type }) => entity_type === 'page')
  for (const [space_id, some] of Map.groupBy(pages, (row) => row.space_id))
    if (space_id !== null)
      await lookFirst(
        space_id,
        some.map(({ entity_id }) => entity_id),
      )
}

/**
 * Plans outside of a transaction, each for what the ones before it leave; texts that are too complex to merge
 * are left to the owner.
 */
async function planUndos(
  { database, kinds, threads }: UndoDeps,
  seqs: readonly number[],
  since: number | null,
): Promise<Plans> {
  const plans = new Map<string, UndoPlan>()
  const rows = new Map<string, CurrentRow>()
  for (const seq of seqs) {
    const run = await createAuditRepo(database).listRun(seq, since)
    const kind = kinds.find(run[0]?.entity_type ?? '')
    const id = run[0]?.entity_id ?? ''
    const row =
      rows.get(id) ?? (kind && (await createEntitiesRepo(database).findWithinSpaces(kind, null, id)))
    if (!row) continue
    const input = { change: foldChanges(run.map(toPastChange)), row }
    const plan = (await threads.run(planTask, input)) ?? planUndo({ ...input, mergesTexts: false })
    plans.set(keyOf(seq, row), plan)
    rows.set(id, rowAfter(row, plan))
  }
  return plans
}

const planTask = textTask(new URL('./plan-undo.ts', import.meta.url), planUndo)

const keyOf = (seq: number, { version }: CurrentRow) => `${seq} ${version}`

function rowAfter(row: CurrentRow, plan: UndoPlan): CurrentRow {
  if (!('fields' in plan)) return row
  const after =
    plan.action === 'update'
      ? valuesOf(plan.fields)
      : { deleted_at: plan.action === 'delete' ? row.updated_at : null }
  const isChanged = Object.keys(changedFields(row, after)).length > 0
  return isChanged ? { ...row, ...after, version: row.version + 1 } : row
}

/** The same changes in the same order, with renames that follow each other as one group: their links are turned together. */
async function groupRenames(tx: Tx, seqs: readonly number[]): Promise<number[][]> {
  const groups: number[][] = []
  let wasRename = false
  for (const seq of seqs) {
    const isRename = seqs.length > 1 && (await createAuditRepo(tx).isRename(seq))
    if (isRename && wasRename) groups.at(-1)!.push(seq)
    else groups.push([seq])
    wasRename = isRename
  }
  return groups
}

/** For a version that was not planned for. Throws `OutdatedPlan` where that takes merging large texts. */
function planAtOnce(input: PlanInput): UndoPlan {
  if (textLength(input) <= maxMainThread) return planUndo(input)
  const plan = planUndo({ ...input, mergesTexts: false })
  if (!isClean(plan)) throw new OutdatedPlan()
  return plan
}

async function findRun(tx: Tx, seq: number, since: number | null): Promise<AuditRow[]> {
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
  tx: Tx,
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
async function findDraft(tx: Tx, last: AuditRow): Promise<Undone['draft']> {
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

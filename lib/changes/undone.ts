import type { PendingChange } from '../contract/card.ts'
import type { UndoMark } from '../contract/history.ts'
import type { Queryable } from '../db/pool.ts'
import { createAuditRepo, type UndoRow } from '../db/repos/audit.ts'

/**
 * The undo that took a change back and still stands: one that was itself taken back does not. `undos` are all of the
 * entity, oldest first.
 */
export function undoOf(seq: number, undos: readonly UndoRow[]): UndoRow | null {
  const last = undos.findLast(({ undoes, undoes_since }) => undoes >= seq && (undoes_since ?? undoes) <= seq)
  return last && undoOf(last.seq, undos) === null ? last : null
}

/** The same as it is told. */
export function markOf(undo: UndoRow | null): UndoMark | null {
  return undo && { seq: undo.seq, at: undo.at, by: undo.actor }
}

/** The undo of what approving a draft changed. */
export async function findUndo(db: Queryable, change: PendingChange): Promise<UndoMark | null> {
  if (change.status !== 'approved') return null
  const audit = createAuditRepo(db)
  const undos = await audit.listUndos(change.entity_id)
  if (undos.length === 0) return null
  const applied = await audit.findOfChange(change.space_id, change.id)
  return applied && markOf(undoOf(applied.seq, undos))
}

import type { UndoMark } from '../../contract/entities.ts'
import type { UndoRow } from '../../db/repos/audit.ts'

/**
 * The undo of a change that is in effect: one that was itself undone is not. `undos` are all of the entity, oldest
 * first.
 */
export function undoOf(seq: number, undos: readonly UndoRow[]): UndoRow | null {
  const last = undos.findLast(({ undoes, undoes_since }) => undoes >= seq && (undoes_since ?? undoes) <= seq)
  return last && undoOf(last.seq, undos) === null ? last : null
}

/** The same on the wire. */
export function markOf(undo: UndoRow | null): UndoMark | null {
  return undo && { seq: undo.seq, at: undo.at, by: undo.actor }
}

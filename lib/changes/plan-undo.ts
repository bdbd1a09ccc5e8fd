// What taking a change back comes to, worked out from the change and the row as it is now. Pure.

import type { UndoField } from '../contract/history.ts'
import { mergeText } from './merge-text.ts'

/** What a change is taken back from: a row of any kind, or a Space. */
export type Standing = {
  id: string
  space_id: string
  version: number
  deleted_at: string | null
  [column: string]: unknown
}

/** A change, or a run of updates told as one. */
export type PastChange = {
  action: string
  before: Record<string, unknown>
  after: Record<string, unknown>
}

export type UndoPlan =
  /** Things are as they were before it, or it never had an effect. */
  | { action: 'none' }
  | { action: 'update' | 'delete' | 'restore'; fields: UndoField[] }
  /** `purge`, or a kind of change that there is no way back from. */
  | { action: 'impossible' }

/** Updates of one entity as one change, oldest first. */
export function foldChanges(rows: readonly PastChange[]): PastChange {
  const before = Object.assign({}, ...rows.toReversed().map((row) => row.before))
  const after = Object.assign({}, ...rows.map((row) => row.after))
  return { action: rows.at(-1)?.action ?? 'update', before, after }
}

/**
 * The way back. A field that nobody touched since gets its old value; one that was changed again is merged where that
 * can be done, else its entry is not `clean` and the owner has to say. Undoing a create moves the thing to the trash,
 * and whatever was changed in it since counts as touched.
 */
export function planUndo(change: PastChange, row: Standing): UndoPlan {
  const deleted = row.deleted_at !== null
  switch (change.action) {
    case 'create':
      return deleted ? { action: 'none' } : { action: 'delete', fields: fieldsSince(change, row) }
    case 'restore':
      return deleted ? { action: 'none' } : { action: 'delete', fields: [] }
    case 'delete':
      return deleted ? { action: 'restore', fields: [] } : { action: 'none' }
    case 'update': {
      const fields = fieldsBack(change, row)
      return fields.length === 0 ? { action: 'none' } : { action: 'update', fields }
    }
    default:
      return { action: 'impossible' }
  }
}

/** Whether the plan can be carried out without asking. */
export const isClean = (plan: UndoPlan): boolean =>
  !('fields' in plan) || plan.fields.every(({ clean }) => clean)

function fieldsSince({ after }: PastChange, row: Standing): UndoField[] {
  return Object.entries(after)
    .filter(([name, value]) => !same(row[name], value))
    .map(([name, base]) => ({
      name,
      base,
      theirs: row[name] ?? null,
      ours: null,
      clean: false,
      merged: null,
      conflicts: [],
    }))
}

function fieldsBack({ before, after }: PastChange, row: Standing): UndoField[] {
  return Object.entries(before)
    .map(([name, ours]) => ({ name, base: after[name] ?? null, theirs: row[name] ?? null, ours }))
    .filter(({ ours, theirs }) => !same(ours, theirs))
    .map((field) => ({ ...field, ...mergeField(field) }))
}

function mergeField({ base, ours, theirs }: Pick<UndoField, 'base' | 'ours' | 'theirs'>) {
  if (same(base, theirs)) return { clean: true, merged: ours, conflicts: [] }
  if (isText(base) && isText(ours) && isText(theirs)) {
    const { text, conflicts } = mergeText({ base, current: theirs, draft: ours })
    if (conflicts.length === 0) return { clean: true, merged: text, conflicts: [] }
    const sides = conflicts.map(({ base, current, draft }) => ({ base, ours: draft, theirs: current }))
    return { clean: false, merged: null, conflicts: sides }
  }
  return { clean: false, merged: null, conflicts: [] }
}

// A title is one line: changed twice, it is in conflict.
const isText = (value: unknown): value is string => typeof value === 'string'

const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

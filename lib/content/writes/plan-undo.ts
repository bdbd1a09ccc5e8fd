// What an undo has to change, computed from the change and the current row. Pure.

import type { UndoField } from '../../contract/entities.ts'
import { mergeText } from '../../core/text/diff/merge-text.ts'

/** The row that an undo changes: an entity of any kind, or a Space. */
export type CurrentRow = {
  id: string
  space_id: string
  version: number
  deleted_at: string | null
  [column: string]: unknown
}

/** A change, or a run of updates as one. */
export type PastChange = {
  action: string
  before: Record<string, unknown>
  after: Record<string, unknown>
}

export type UndoPlan =
  /** The row is as it was before the change. */
  | { action: 'none' }
  | { action: 'update' | 'delete' | 'restore'; fields: UndoField[] }
  /** `purge`, or another change that cannot be undone. */
  | { action: 'impossible' }

/** A plan that changes the row. */
export type OpenPlan = Extract<UndoPlan, { fields: unknown }>

/** Updates of one entity as one change, oldest first. */
export function foldChanges(rows: readonly PastChange[]): PastChange {
  const before = Object.assign({}, ...rows.toReversed().map((row) => row.before))
  const after = Object.assign({}, ...rows.map((row) => row.after))
  return { action: rows.at(-1)?.action ?? 'update', before, after }
}

export type PlanInput = {
  change: PastChange
  row: CurrentRow
  /** Default: texts are merged. `false`: one that changed since is not `clean`, and too complex. */
  mergesTexts?: boolean
}

/**
 * A field that did not change since gets its old value; one that did is merged where possible, else its entry is not
 * `clean` and the owner has to choose. Undoing a create moves the entity to the trash; fields that changed since then
 * need the owner's choice too.
 */
export function planUndo({ change, row, mergesTexts = true }: PlanInput): UndoPlan {
  const deleted = row.deleted_at !== null
  switch (change.action) {
    case 'create':
      return deleted ? { action: 'none' } : { action: 'delete', fields: fieldsSince(change, row) }
    case 'restore':
      return deleted ? { action: 'none' } : { action: 'delete', fields: [] }
    case 'delete':
      return deleted ? { action: 'restore', fields: [] } : { action: 'none' }
    case 'update': {
      const fields = fieldsBack(change, row, mergesTexts)
      return fields.length === 0 ? { action: 'none' } : { action: 'update', fields }
    }
    default:
      return { action: 'impossible' }
  }
}

/** Whether the plan can be applied without asking the owner. */
export const isClean = (plan: UndoPlan): boolean =>
  !('fields' in plan) || plan.fields.every(({ clean }) => clean)

function fieldsSince({ after }: PastChange, row: CurrentRow): UndoField[] {
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
      too_complex: false,
    }))
}

function fieldsBack({ before, after }: PastChange, row: CurrentRow, mergesTexts: boolean): UndoField[] {
  return Object.entries(before)
    .map(([name, ours]) => ({ name, base: after[name] ?? null, theirs: row[name] ?? null, ours }))
    .filter(({ ours, theirs }) => !same(ours, theirs))
    .map((field) => ({ ...field, too_complex: false, ...mergeField(field, mergesTexts) }))
}

function mergeField(
  { base, ours, theirs }: Pick<UndoField, 'base' | 'ours' | 'theirs'>,
  mergesTexts: boolean,
): Partial<UndoField> & Pick<UndoField, 'clean' | 'merged' | 'conflicts'> {
  if (same(base, theirs)) return { clean: true, merged: ours, conflicts: [] }
  if (isText(base) && isText(ours) && isText(theirs)) {
    if (!mergesTexts) return { clean: false, merged: null, conflicts: [], too_complex: true }
    const { text, conflicts } = mergeText({ base, current: theirs, draft: ours })
    if (conflicts.length === 0) return { clean: true, merged: text, conflicts: [] }
    const sides = conflicts.map(({ base, current, draft }) => ({ base, ours: draft, theirs: current }))
    return { clean: false, merged: null, conflicts: sides }
  }
  return { clean: false, merged: null, conflicts: [] }
}

const isText = (value: unknown): value is string => typeof value === 'string'

const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

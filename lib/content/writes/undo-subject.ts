// The row that an undo changes, what the owner chose where later edits overlap, and how the row is written.

import type { AuditRow } from '../../contract/audit.ts'
import { textOf } from '../../contract/entities/kind.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import type { UndoConflict } from '../../contract/entities.ts'
import { markColors } from '../../contract/limits.ts'
import type { Actor } from '../../core/actor.ts'
import { type AppError, conflict } from '../../core/errors.ts'
import { isUniqueViolation } from '../../db/pg-errors.ts'
import type { Queryable, Tx } from '../../db/pool.ts'
import { createAuditRepo } from '../../db/repos/audit.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createSpacesRepo, type SpaceRow } from '../../db/repos/spaces.ts'
import { type CurrentRow, isClean, type OpenPlan } from './plan-undo.ts'
import type { Writer } from './write.ts'
import { storeSpace } from './write-space.ts'

/** The row that an undo changes, locked, and how to write it. */
export type UndoSubject = {
  row: CurrentRow
  write(actor: Actor, plan: OpenPlan, undoes: { seq: number; since: number | null }): Promise<CurrentRow>
}

export type SubjectDeps = { kinds: Kinds; writer: Writer; now: () => Date }

/** Throws `AppError` 409 `gone` and `space_deleted`. */
export async function findSubject(tx: Tx, deps: SubjectDeps, change: AuditRow): Promise<UndoSubject> {
  return change.entity_type === 'space'
    ? await findSpace(tx, deps, change)
    : await findEntity(tx, deps, change)
}

async function findEntity(tx: Tx, { kinds, writer }: SubjectDeps, change: AuditRow): Promise<UndoSubject> {
  const { entity_type: type, entity_id: id, space_id } = change
  const kind = kinds.get(type)
  if (kind.internal) {
    throw conflict(
      'not_undoable',
      kind.type === 'routine'
        ? 'A routine that was made cannot be undone here. Switch it off or delete it in Settings, under Routines.'
        : kind.type === 'call'
          ? 'A call cannot be undone: its effect is outside of Void. Undo it there, or request a call that does.'
          : `A ${kind.label} cannot be undone: it is now outside of Void. Delete it there.`,
    )
  }
  if (space_id === null || !(await createSpacesRepo(tx).find(space_id, null))) {
    throw conflict('space_deleted', 'Its Space is in the trash. Restore the Space first.', { space_id })
  }
  const row = await createEntitiesRepo(tx).lock(kind, space_id, id)
  if (!row) throw conflict('gone', `The ${kind.label} ${id} was permanently deleted.`)

  return {
    row,
    async write(actor, { action, fields }, undoes) {
      const target = { type, space_id, id, version: row.version }
      const context = { actor, undoes }
      return action === 'update'
        ? await writer.write(tx, { ...target, action, fields: valuesOf(fields) }, context)
        : await writer.write(tx, { ...target, action }, context)
    },
  }
}

async function findSpace(tx: Tx, { now }: SubjectDeps, change: AuditRow): Promise<UndoSubject> {
  const current = await createSpacesRepo(tx).lock(change.entity_id)
  if (!current) throw conflict('gone', `The Space ${change.entity_id} was permanently deleted.`)

  return {
    row: toCurrentRow(current),
    async write(actor, { action, fields }, { seq: undoes }) {
      const values = valuesOf(fields)
      const next = {
        slug: textOf(values.slug ?? current.slug),
        name: textOf(values.name ?? current.name),
        description: textOf(values.description ?? current.description),
        color: markColors.find((color) => color === values.color) ?? current.color,
        emoji: textOf(values.emoji ?? current.emoji),
        line_breaks:
          typeof values.line_breaks === 'boolean' || values.line_breaks === null
            ? values.line_breaks
            : current.line_breaks,
        instructions: textOf(values.instructions ?? current.instructions),
        deleted_at: action === 'delete' ? now().toISOString() : null,
      }
      try {
        return toCurrentRow(await storeSpace(tx, actor, { current, next, undoes }))
      } catch (error) {
        if (!isUniqueViolation(error, 'spaces_slug')) throw error
        throw conflict('slug_taken', `The slug is already used by another Space: ${next.slug}.`)
      }
    },
  }
}

const toCurrentRow = (row: SpaceRow): CurrentRow => ({ ...row, space_id: row.id })

/** The values that a plan gives the fields. */
export const valuesOf = (fields: OpenPlan['fields']) =>
  Object.fromEntries(fields.map(({ name, merged }) => [name, merged]))

/**
 * The owner's choice after a refusal: the version it was made at, and a value for each field that could not be merged.
 * Fields left out are merged as before.
 */
export type Settlement = { version: number; fields: Record<string, unknown> }

type Planned = { last: AuditRow; row: CurrentRow; plan: OpenPlan }

/** The plan with every field clean, by the owner's choice where it was not. Throws `undo_conflict` and `in_trash`. */
export async function settleUndo(
  tx: Queryable,
  planned: Planned,
  settlement: Settlement | undefined,
): Promise<OpenPlan> {
  const { plan, row, last } = planned
  if (plan.action === 'update' && row.deleted_at !== null) {
    throw conflict('in_trash', `“${nameOf(row)}” is in the trash. Restore it first.`, {
      entity_type: last.entity_type,
      entity_id: row.id,
    })
  }
  const chosen = settlement
    ? { ...plan, fields: plan.fields.map((field) => choose(field, plan, settlement)) }
    : plan
  if (settlement && settlement.version !== row.version) throw await refuse(tx, planned)
  if (!isClean(chosen)) throw await refuse(tx, planned)
  return chosen
}

// To delete what changed since, the owner's confirmation is enough.
function choose(field: OpenPlan['fields'][number], plan: OpenPlan, { fields }: Settlement) {
  if (plan.action !== 'update') return { ...field, clean: true }
  return Object.hasOwn(fields, field.name) ? { ...field, clean: true, merged: fields[field.name] } : field
}

async function refuse(tx: Queryable, { last, row, plan }: Planned): Promise<AppError> {
  const since = await createAuditRepo(tx).listLater(row.space_id, row.id, last.seq)
  const details: UndoConflict = {
    seq: last.seq,
    entity_type: last.entity_type,
    entity_id: row.id,
    title: nameOf(row),
    version: row.version,
    action: plan.action === 'update' ? 'update' : 'delete',
    fields: plan.fields,
    since: since.map(({ seq, at, actor, action, fields }) => ({ seq, at, actor, action, fields })),
  }
  return conflict('undo_conflict', `“${nameOf(row)}” has changed since in the same place.`, details)
}

const nameOf = (row: CurrentRow) => textOf(row.title ?? row.name)

import type { AuditRow } from '../../contract/audit.ts'
import { textOf } from '../../contract/entities/kind.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import { markColors } from '../../contract/trust.ts'
import type { Actor } from '../../core/actor.ts'
import { conflict } from '../../core/errors.ts'
import { isUniqueViolation } from '../../db/pg-errors.ts'
import type { Queryable } from '../../db/pool.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createSpacesRepo, type SpaceRow } from '../../db/repos/spaces.ts'
import type { CurrentRow } from './plan-undo.ts'
import type { OpenPlan } from './settle-undo.ts'
import type { Writer } from './write.ts'
import { storeSpace } from './write-space.ts'

/** The row that an undo changes, locked, and how to write it. */
export type UndoSubject = {
  row: CurrentRow
  write(actor: Actor, plan: OpenPlan, undoes: { seq: number; since: number | null }): Promise<CurrentRow>
}

export type SubjectDeps = { kinds: Kinds; writer: Writer; now: () => Date }

/** Throws `AppError` 409 `gone` and `space_deleted`. */
export async function findSubject(tx: Queryable, deps: SubjectDeps, change: AuditRow): Promise<UndoSubject> {
  return change.entity_type === 'space'
    ? await findSpace(tx, deps, change)
    : await findEntity(tx, deps, change)
}

async function findEntity(
  tx: Queryable,
  { kinds, writer }: SubjectDeps,
  change: AuditRow,
): Promise<UndoSubject> {
  const { entity_type: type, entity_id: id, space_id } = change
  const kind = kinds.get(type)
  if (kind.internal) {
    throw conflict(
      'not_undoable',
      kind.type === 'call'
        ? 'A call cannot be undone: what it did is outside of Void. Undo it there, or ask for a call that does.'
        : `A ${kind.label} cannot be undone: where it is now is outside of Void. Delete it there.`,
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

async function findSpace(tx: Queryable, { now }: SubjectDeps, change: AuditRow): Promise<UndoSubject> {
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

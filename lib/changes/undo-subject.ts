import type { Actor } from '../auth/actor.ts'
import { isUniqueViolation } from '../db/pg-errors.ts'
import type { Queryable } from '../db/pool.ts'
import type { AuditRow } from '../db/repos/audit.ts'
import { createEntitiesRepo } from '../db/repos/entities.ts'
import { createSpacesRepo, type SpaceRow } from '../db/repos/spaces.ts'
import { textOf } from '../entities/kind.ts'
import { conflict } from '../errors.ts'
import { storeSpace } from '../spaces/write-space.ts'
import type { Standing } from './plan-undo.ts'
import type { OpenPlan } from './settle-undo.ts'
import type { UndoDeps } from './undo.ts'

/** What a change is taken back from, locked: as it is now, and how it is written. */
export type UndoSubject = {
  row: Standing
  write(actor: Actor, plan: OpenPlan, undoes: { seq: number; since: number | null }): Promise<Standing>
}

/** Throws `AppError` 409 `gone` and `space_deleted`. */
export async function findSubject(tx: Queryable, deps: UndoDeps, change: AuditRow): Promise<UndoSubject> {
  return change.entity_type === 'space'
    ? await findSpace(tx, deps, change)
    : await findEntity(tx, deps, change)
}

async function findEntity(
  tx: Queryable,
  { kinds, writer }: UndoDeps,
  change: AuditRow,
): Promise<UndoSubject> {
  const { entity_type: type, entity_id: id, space_id } = change
  const kind = kinds.get(type)
  if (space_id === null || !(await createSpacesRepo(tx).find(space_id, null))) {
    throw conflict('space_deleted', 'Its Space is in the trash. Restore that first.', { space_id })
  }
  const row = await createEntitiesRepo(tx).lock(kind, space_id, id)
  if (!row) throw conflict('gone', `The ${kind.label} ${id} is gone for good.`)

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

async function findSpace(tx: Queryable, { now }: UndoDeps, change: AuditRow): Promise<UndoSubject> {
  const current = await createSpacesRepo(tx).lock(change.entity_id)
  if (!current) throw conflict('gone', `The Space ${change.entity_id} is gone for good.`)

  return {
    row: toStanding(current),
    async write(actor, { action, fields }, { seq: undoes }) {
      const values = valuesOf(fields)
      const next = {
        slug: textOf(values.slug ?? current.slug),
        name: textOf(values.name ?? current.name),
        description: textOf(values.description ?? current.description),
        deleted_at: action === 'delete' ? now().toISOString() : null,
      }
      try {
        return toStanding(await storeSpace(tx, actor, { current, next, undoes }))
      } catch (error) {
        if (!isUniqueViolation(error, 'spaces_slug')) throw error
        throw conflict('slug_taken', `Another Space has the slug ${next.slug} by now.`)
      }
    },
  }
}

const toStanding = (row: SpaceRow): Standing => ({ ...row, space_id: row.id })

const valuesOf = (fields: OpenPlan['fields']) =>
  Object.fromEntries(fields.map(({ name, merged }) => [name, merged]))

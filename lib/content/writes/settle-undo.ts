import type { AuditRow } from '../../contract/audit.ts'
import { textOf } from '../../contract/entities/kind.ts'
import type { UndoConflict } from '../../contract/entities.ts'
import { type AppError, conflict } from '../../core/errors.ts'
import type { Queryable } from '../../db/pool.ts'
import { createAuditRepo } from '../../db/repos/audit.ts'
import { type CurrentRow, isClean, type UndoPlan } from './plan-undo.ts'

/**
 * The owner's choice after a refusal: the version it was made at, and a value for each field that could not be merged.
 * Fields left out are merged as before.
 */
export type Settlement = { version: number; fields: Record<string, unknown> }

export type OpenPlan = Extract<UndoPlan, { fields: unknown }>

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

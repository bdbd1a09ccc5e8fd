import type { EntityRow, Kind } from '../../contract/entities/kind.ts'
import type { Queryable } from '../../db/pool.ts'
import { createAuditRepo } from '../../db/repos/audit.ts'

/**
 * The named fields of an entity as they were at an earlier version, from its row and the audit log. `null` when the
 * log lacks a version in between.
 */
export async function findPastFields(
  db: Queryable,
  kind: Kind,
  row: EntityRow,
  { version, fields }: { version: number; fields: readonly string[] },
): Promise<Record<string, unknown> | null> {
  const entity = { space_id: row.space_id, entity_type: kind.type, entity_id: row.id }
  const { versions, values } = await createAuditRepo(db).findValuesAt(entity, version, fields)
  if (versions !== row.version - version) return null
  return Object.fromEntries(
    fields.map((name) => [name, Object.hasOwn(values, name) ? values[name] : row[name]]),
  )
}

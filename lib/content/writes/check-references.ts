import type { Kind } from '../../contract/entities/kind.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import { conflict, invalid } from '../../core/errors.ts'
import type { Queryable } from '../../db/pool.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'

type References = {
  kind: Kind
  space_id: string
  /** Null: the entity is new. It has nothing below it yet, so it cannot end up below itself. */
  id: string | null
  fields: Record<string, unknown>
}

/**
 * Whether the entities that fields refer to exist in the Space. Throws `AppError`: 409 `missing_reference` for one that
 * does not, 400 for an entity below itself.
 */
export async function checkReferences(
  tx: Queryable,
  kinds: Kinds,
  { kind, space_id, id, fields }: References,
): Promise<void> {
  const entities = createEntitiesRepo(tx)

  for (const [column, type] of Object.entries(kind.references)) {
    const target = fields[column]
    if (typeof target !== 'string') continue
    const targetKind = kinds.get(type)
    if (!(await entities.find(targetKind, space_id, target))) {
      throw conflict(
        'missing_reference',
        `${column}: there is no ${targetKind.label} ${target} in this Space.`,
        { field: column, entity_type: type, entity_id: target },
      )
    }
    if (id && type === kind.type && (await entities.isWithin(kind, space_id, column, target, id))) {
      throw invalid(`${column}: a ${kind.label} cannot be below itself.`, { details: { field: column } })
    }
  }
}

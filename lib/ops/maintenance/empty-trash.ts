import type { Kind } from '../../contract/entities/kind.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import type { Database } from '../../db/pool.ts'
import { createAuditRepo } from '../../db/repos/audit.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'

export type TrashDeps = { database: Database; kinds: Kinds; now: () => Date }

const dayMs = 24 * 60 * 60 * 1000
const perTransaction = 100

/**
 * Permanently deletes entities that have been in the trash for more than `days`, each with an audit row. Entities with
 * references to them (a page's children, a project's tasks) stay until those are gone. Returns the number deleted.
 */
export async function emptyTrash({ database, kinds, now }: TrashDeps, days: number): Promise<number> {
  const before = new Date(now().getTime() - days * dayMs)
  let removed = 0

  // Deleting references first would need an order; a few rounds need none.
  for (let round = kinds.all.length; round > 0; round -= 1) {
    const removedBefore = removed
    for (const kind of kinds.all) removed += await emptyKind(database, kinds, kind, before)
    if (removed === removedBefore) break
  }
  return removed
}

async function emptyKind(database: Database, kinds: Kinds, kind: Kind, before: Date): Promise<number> {
  const referrers = kinds.all.flatMap(({ table, references }) =>
    Object.entries(references).flatMap(([column, type]) => (type === kind.type ? [{ table, column }] : [])),
  )
  let removed = 0

  for (;;) {
    const count = await database.transaction(async (tx) => {
      const audit = createAuditRepo(tx)
      await audit.lock()
      const rows = await createEntitiesRepo(tx).purge(kind, { before, referrers, limit: perTransaction })
      for (const { id, space_id, version } of rows) {
        await audit.append({
          space_id,
          actor: 'system:trash',
          action: 'purge',
          entity_type: kind.type,
          entity_id: id,
          version,
          before: null,
          after: null,
          pending_change_id: null,
        })
      }
      return rows.length
    })
    removed += count
    if (count < perTransaction) return removed
  }
}

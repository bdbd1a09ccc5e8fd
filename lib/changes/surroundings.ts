import type { PendingChange } from '../contract/card.ts'
import type { Queryable } from '../db/pool.ts'
import { createAuditRepo } from '../db/repos/audit.ts'
import { createEntitiesRepo } from '../db/repos/entities.ts'
import { createLinksRepo } from '../db/repos/links.ts'
import type { EntityRow } from '../entities/kind.ts'
import type { Kinds } from '../entities/kinds.ts'
import { noSurroundings, type Surroundings } from './warnings/warn-surroundings.ts'

/** An edit of the owner's counts as late when the draft was made within this time after it. */
const lately = 15 * 60_000

/** What stands around the entity that an undecided change is about. */
export async function loadSurroundings(
  db: Queryable,
  kinds: Kinds,
  change: PendingChange,
  row: EntityRow | null,
): Promise<Surroundings> {
  if (change.status !== 'pending' || row === null) return noSurroundings
  const edited_at = await findLateEdit(db, change, row)
  if (change.action !== 'delete') return { ...noSurroundings, edited_at }

  return {
    edited_at,
    backlinks: await createLinksRepo(db).countBacklinks(row.space_id, row.id),
    children: await countChildren(db, kinds, row, change.entity_type),
  }
}

async function countChildren(db: Queryable, kinds: Kinds, row: EntityRow, type: string) {
  const children: Surroundings['children'] = []
  for (const kind of kinds.all) {
    for (const [column, to] of Object.entries(kind.references)) {
      if (to !== type) continue
      const count = await createEntitiesRepo(db).countReferring(kind, column, row.space_id, row.id)
      children.push({ label: kind.label, plural: kind.plural, count })
    }
  }
  return children
}

async function findLateEdit(db: Queryable, change: PendingChange, row: EntityRow): Promise<string | null> {
  const since = new Date(Date.parse(change.created_at) - lately)
  if (row.updated_by !== 'owner' || Date.parse(row.updated_at) < since.getTime()) return null
  return await createAuditRepo(db).findOwnEdit(row.space_id, row.id, since)
}

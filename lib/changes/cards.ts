import type { Card, PendingChange } from '../contract/card.ts'
import type { Queryable } from '../db/pool.ts'
import { createAgentsRepo } from '../db/repos/agents.ts'
import { createAuditRepo } from '../db/repos/audit.ts'
import { createEntitiesRepo } from '../db/repos/entities.ts'
import { createPendingChangesRepo } from '../db/repos/pending_changes.ts'
import { createSpacesRepo } from '../db/repos/spaces.ts'
import type { EntityRow, Kind } from '../entities/kind.ts'
import type { Kinds } from '../entities/kinds.ts'
import { makeCard, staleness } from './card.ts'
import { listChangesSince } from './changes-since.ts'
import { findUndo } from './undone.ts'

/** The card of a stored change as things stand now. */
export async function loadCard(db: Queryable, kinds: Kinds, change: PendingChange): Promise<Card> {
  const kind = kinds.get(change.entity_type)
  const row = await loadRow(db, kind, change)
  const space = await createSpacesRepo(db).find(change.space_id, null)
  const agent = await createAgentsRepo(db).find(change.agent_id)

  return makeCard({
    change,
    kind,
    row,
    space: { id: change.space_id, name: space?.name ?? '(deleted Space)' },
    agent: { id: change.agent_id, slug: agent?.slug ?? '', name: agent?.name ?? '' },
    references: await titlesOfReferences(db, kinds, change, row),
    undone: await findUndo(db, change),
    ...(staleness(change, row) ? { since: await listChangesSince(db, kind, change) } : {}),
  })
}

// A deleted one still has a title. An approved draft is shown against what it was approved against.
async function loadRow(db: Queryable, kind: Kind, change: PendingChange): Promise<EntityRow | null> {
  if (change.action === 'create') return null
  const row = await createEntitiesRepo(db).findWithinSpaces(kind, [change.space_id], change.entity_id)
  if (!row || change.status !== 'approved' || change.action !== 'update') return row
  return { ...row, ...(await createAuditRepo(db).findBefore(change)) }
}

// Also of what another draft of the changeset would create, which has no row yet.
async function titlesOfReferences(
  db: Queryable,
  kinds: Kinds,
  change: PendingChange,
  row: EntityRow | null,
): Promise<Record<string, string>> {
  const titles: Record<string, string> = {}
  for (const [field, type] of Object.entries(kinds.get(change.entity_type).references)) {
    const ids = [change.payload[field], row?.[field]].filter((id) => typeof id === 'string')
    if (ids.length === 0) continue
    const found = await createEntitiesRepo(db).listTitles(kinds.get(type), change.space_id, ids)
    for (const { id, title } of found) titles[id] = title
    for (const id of ids.filter((id) => !Object.hasOwn(titles, id))) {
      const creator = await createPendingChangesRepo(db).findCreator(change.space_id, change.changeset_id, id)
      if (creator) titles[id] = String(creator.payload.title ?? '')
    }
  }
  return titles
}

/** The cards of those of the ids that are drafts in the Space, oldest first. */
export async function loadCards(
  db: Queryable,
  kinds: Kinds,
  { space_id, ids }: { space_id: string; ids: readonly string[] },
): Promise<Card[]> {
  if (ids.length === 0) return []
  const cards: Card[] = []
  for (const change of await createPendingChangesRepo(db).listByIds(space_id, ids)) {
    cards.push(await loadCard(db, kinds, change))
  }
  return cards
}

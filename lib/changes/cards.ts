import type { Card, CardLine, PendingChange } from '../contract/card.ts'
import type { Queryable } from '../db/pool.ts'
import { createAgentsRepo } from '../db/repos/agents.ts'
import { createAuditRepo } from '../db/repos/audit.ts'
import { createEntitiesRepo } from '../db/repos/entities.ts'
import { createPendingChangesRepo } from '../db/repos/pending_changes.ts'
import { createSpacesRepo } from '../db/repos/spaces.ts'
import type { EntityRow, Kind } from '../entities/kind.ts'
import type { Kinds } from '../entities/kinds.ts'
import { asApplied } from './applied-payload.ts'
import { makeCard, makeCardLine, staleness } from './card.ts'
import { listChangesSince } from './changes-since.ts'
import type { CardLimits } from './diff/fold.ts'
import { loadSurroundings } from './surroundings.ts'
import { findUndo } from './undone.ts'

/** The card of a stored change as things stand now; `limits` left out: bounded, with what is left out counted. */
export async function loadCard(
  db: Queryable,
  kinds: Kinds,
  stored: PendingChange,
  limits?: CardLimits,
): Promise<Card> {
  const kind = kinds.get(stored.entity_type)
  const sides = stored.status === 'approved' ? await createAuditRepo(db).findSides(stored) : null
  const change = asApplied(stored, sides?.after ?? null)
  const row = await loadRow(db, kind, change, sides?.before ?? {})
  const space = await createSpacesRepo(db).find(change.space_id, null)
  const agent = await createAgentsRepo(db).find(change.agent_id)

  return makeCard({
    change,
    kind,
    row,
    space: { id: change.space_id, name: space?.name ?? goneSpace },
    agent: { id: change.agent_id, slug: agent?.slug ?? '', name: agent?.name ?? '' },
    references: await titlesOfReferences(db, kinds, change, row),
    undone: await findUndo(db, change),
    ...(staleness(change, row) ? { since: await listChangesSince(db, kind, change) } : {}),
    surroundings: await loadSurroundings(db, kinds, change, row),
    ...(limits ? { limits } : {}),
  })
}

const goneSpace = '(deleted Space)'

// A deleted one still has a title. An approved draft is shown against what it was approved against.
async function loadRow(
  db: Queryable,
  kind: Kind,
  change: PendingChange,
  before: Record<string, unknown>,
): Promise<EntityRow | null> {
  if (change.action === 'create') return null
  const row = await createEntitiesRepo(db).findWithinSpaces(kind, [change.space_id], change.entity_id)
  if (!row || change.status !== 'approved' || change.action !== 'update') return row
  return { ...row, ...before }
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

/** The lines of changes of any Spaces, in their order, with one query a kind and nothing compared. */
export async function loadCardLines(
  db: Queryable,
  kinds: Kinds,
  changes: readonly PendingChange[],
): Promise<CardLine[]> {
  const rows = await loadShortRows(db, kinds, changes)
  const before = await createAuditRepo(db).listBefore(
    changes.filter(({ status, action }) => status === 'approved' && action === 'update'),
  )
  const spaces = await createSpacesRepo(db).listNames(unique(changes.map(({ space_id }) => space_id)))
  const agents = await createAgentsRepo(db).listNames(unique(changes.map(({ agent_id }) => agent_id)))

  const undone = new Map<string, CardLine['undone']>()
  for (const change of changes) undone.set(change.id, await findUndo(db, change))

  return changes.map((stored) => {
    const change = asApplied(stored, null)
    const row = change.action === 'create' ? undefined : rows.get(`${change.space_id}/${change.entity_id}`)
    const agent = agents.get(change.agent_id)
    return makeCardLine({
      change,
      kind: kinds.get(change.entity_type),
      row: row ? { ...row, ...before.get(change.id) } : null,
      undone: undone.get(change.id) ?? null,
      space: { id: change.space_id, name: spaces.get(change.space_id) ?? goneSpace },
      agent: { id: change.agent_id, slug: agent?.slug ?? '', name: agent?.name ?? '' },
    })
  })
}

async function loadShortRows(
  db: Queryable,
  kinds: Kinds,
  changes: readonly PendingChange[],
): Promise<Map<string, EntityRow>> {
  const rows = new Map<string, EntityRow>()
  const targets = changes.filter(({ action }) => action !== 'create')
  for (const [type, group] of Map.groupBy(targets, ({ entity_type }) => entity_type)) {
    const spaceIds = unique(group.map(({ space_id }) => space_id))
    const ids = unique(group.map(({ entity_id }) => entity_id))
    const found = await createEntitiesRepo(db).listWithoutText(kinds.get(type), spaceIds, ids)
    for (const row of found) rows.set(`${row.space_id}/${row.id}`, row)
  }
  return rows
}

const unique = (ids: readonly string[]) => [...new Set(ids)]

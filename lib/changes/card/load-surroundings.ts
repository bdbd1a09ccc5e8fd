// What surrounds the entities that changes are about: links to them, what is below them, the titles that fields name.

import { namesLeft } from '../../content/writes/place-entity.ts'
import type { PendingChange } from '../../contract/changes/pending-change.ts'
import type { EntityRow, Kind } from '../../contract/entities/kind.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import { repetitionOf } from '../../contract/entities/task.ts'
import { describeRecurrence } from '../../core/schedule/describe-recurrence.ts'
import type { Queryable } from '../../db/pool.ts'
import { createAuditOfDraftsRepo } from '../../db/repos/decisions.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createLinksRepo } from '../../db/repos/links.ts'
import { createPendingChangeListsRepo } from '../../db/repos/pending_change_lists.ts'
import { noSurroundings, type Surroundings } from '../warnings/card-warnings.ts'
import { type Place, placeKey, placesOf, targetOf } from './load-card-lines.ts'

/** An edit of the owner's is recent when the draft was made within this time after it. */
const recentMs = 15 * 60_000

type Target = { change: PendingChange; row: EntityRow | null }

/**
 * What surrounds the entity of each change that is not decided; `noSurroundings` for the others. In the order of the
 * changes.
 */
export async function loadSurroundings(
  db: Queryable,
  kinds: Kinds,
  targets: readonly Target[],
): Promise<Surroundings[]> {
  const waiting = targets.flatMap(({ change, row }) =>
    change.status === 'pending' && row ? [{ change, row }] : [],
  )
  const edits = await loadRecentEdits(db, waiting)
  const deletes = waiting.filter(({ change }) => change.action === 'delete')
  const backlinks = await loadBacklinkCounts(db, deletes)
  const renamed = await loadRenamedCounts(db, kinds, waiting)
  const children = await loadChildCounts(db, kinds, deletes)

  return targets.map(({ change, row }) => ({
    ...noSurroundings,
    edited_at: edits.get(change.id) ?? null,
    backlinks: backlinks.get(change.id) ?? 0,
    renamed: renamed.get(change.id) ?? null,
    children: children.get(change.id) ?? [],
    repeats: row && change.status === 'pending' ? repeatsOf(change, row) : null,
  }))
}

function repeatsOf({ entity_type, action, payload }: PendingChange, row: EntityRow): string | null {
  const rule = entity_type === 'task' && action === 'update' ? repetitionOf(row, payload) : null
  return rule && describeRecurrence(rule)
}

type Waiting = { change: PendingChange; row: EntityRow }

/** When the owner edited the target by hand, by the draft's id, if that was recent when the draft was made. */
async function loadRecentEdits(
  db: Queryable,
  waiting: readonly Waiting[],
): Promise<Map<string, string | null>> {
  const wanted = waiting.flatMap(({ change, row }) => {
    const since = new Date(Date.parse(change.created_at) - recentMs)
    if (row.updated_by !== 'owner' || Date.parse(row.updated_at) < since.getTime()) return []
    return [{ id: change.id, space_id: row.space_id, entity_id: row.id, since }]
  })
  if (wanted.length === 0) return new Map()
  const edits = await createAuditOfDraftsRepo(db).listOwnEdits(wanted)
  return new Map(wanted.map(({ id }, index) => [id, edits[index] ?? null]))
}

async function loadBacklinkCounts(db: Queryable, deletes: readonly Waiting[]): Promise<Map<string, number>> {
  if (deletes.length === 0) return new Map()
  const counts = await createLinksRepo(db).countBacklinks(...placesOf(deletes.map(({ row }) => row)))
  const byPlace = new Map(counts.map((count) => [placeKey(count), count.count]))
  return new Map(deletes.map(({ change, row }) => [change.id, byPlace.get(placeKey(row)) ?? 0]))
}

/** The links to each entity by a name or a path that its draft would change. */
async function loadRenamedCounts(
  db: Queryable,
  kinds: Kinds,
  waiting: readonly Waiting[],
): Promise<Map<string, Surroundings['renamed']>> {
  const renames = waiting.flatMap(({ change, row }) => {
    const kind = kinds.get(change.entity_type)
    const names = change.action === 'update' && !kind.internal ? namesLeft(row, change.payload) : []
    return names.length > 0 ? [{ id: change.id, space_id: row.space_id, entity_id: row.id, names }] : []
  })
  if (renames.length === 0) return new Map()
  const counts = await createLinksRepo(db).countLinkingBy(renames)
  return new Map(renames.map(({ id }, at) => [id, counts[at] ?? null]))
}

/** What refers to each entity by a field: one statement for each such field of a kind. */
async function loadChildCounts(
  db: Queryable,
  kinds: Kinds,
  deletes: readonly Waiting[],
): Promise<Map<string, Surroundings['children']>> {
  const children = new Map<string, Surroundings['children']>()
  for (const kind of kinds.all) {
    for (const [column, type] of Object.entries(kind.references)) {
      const parents = deletes.filter(({ change }) => change.entity_type === type)
      if (parents.length === 0) continue
      const counts = await createEntitiesRepo(db).countReferring(
        kind,
        column,
        ...placesOf(parents.map(({ row }) => row)),
      )
      const byPlace = new Map(counts.map((count) => [placeKey(count), count.count]))
      for (const { change, row } of parents) {
        const count = byPlace.get(placeKey(row)) ?? 0
        const { label, plural } = kind
        children.set(change.id, [...(children.get(change.id) ?? []), { label, plural, count }])
      }
    }
  }
  return children
}

type Draft = { change: PendingChange; kind: Kind; row: EntityRow | null }

type Reference = Place & { type: string; changeset_id: string }

/**
 * The titles of what the reference fields of each draft name, before and after, by id; in the order of the drafts. What
 * another draft of the changeset would create has no row yet: its title is the drafted one.
 */
export async function loadReferences(
  db: Queryable,
  kinds: Kinds,
  drafts: readonly Draft[],
): Promise<Record<string, string>[]> {
  const references = drafts.map(referencesOf)
  const titles = await loadTitles(db, kinds, references.flat())
  const drafted = await loadDraftedTitles(
    db,
    references.flat().filter((reference) => !titles.has(placeKey(reference))),
  )
  return references.map((list) =>
    Object.fromEntries(
      list.flatMap((reference) => {
        const title = titles.get(placeKey(reference)) ?? drafted.get(draftedKey(reference))
        return title === undefined ? [] : [[reference.id, title]]
      }),
    ),
  )
}

function referencesOf({ change, kind, row }: Draft): Reference[] {
  const { space_id, changeset_id } = change
  return Object.entries(kind.references).flatMap(([field, type]) =>
    [change.payload[field], row?.[field]]
      .filter((id) => typeof id === 'string')
      .map((id) => ({ type, id, space_id, changeset_id })),
  )
}

async function loadTitles(
  db: Queryable,
  kinds: Kinds,
  references: readonly Reference[],
): Promise<Map<string, string>> {
  const titles = new Map<string, string>()
  for (const [type, group] of Map.groupBy(references, (reference) => reference.type)) {
    const found = await createEntitiesRepo(db).listTitles(kinds.get(type), ...placesOf(group))
    for (const row of found) titles.set(placeKey(row), row.title)
  }
  return titles
}

async function loadDraftedTitles(
  db: Queryable,
  references: readonly Reference[],
): Promise<Map<string, string>> {
  if (references.length === 0) return new Map()
  const creators = await createPendingChangeListsRepo(db).listCreators(
    references.map(({ id, ...reference }) => ({ ...reference, entity_id: id })),
  )
  return new Map(
    creators.map((creator) => [
      draftedKey({ ...targetOf(creator), changeset_id: creator.changeset_id }),
      String(creator.payload.title ?? ''),
    ]),
  )
}

const draftedKey = ({ changeset_id, ...place }: Place & { changeset_id: string }) =>
  `${changeset_id}/${placeKey(place)}`

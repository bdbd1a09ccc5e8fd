import type { PendingChange } from '../../contract/changes/pending-change.ts'
import type { EntityRow, Kind } from '../../contract/entities/kind.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import type { Queryable } from '../../db/pool.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createPendingChangeListsRepo } from '../../db/repos/pending_change_lists.ts'
import { type Place, placeKey, placesOf, targetOf } from './place.ts'

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

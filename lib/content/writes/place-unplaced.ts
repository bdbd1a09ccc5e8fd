// Gives paths to pages and files that have none, and reads again the links that were written by name alone: after an
// upgrade, and where a server of an older release wrote them meanwhile.

import { titleOf } from '../../contract/entities/kind.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import type { Database, Tx } from '../../db/pool.ts'
import { createAuditRepo } from '../../db/repos/audit.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createLinksRepo } from '../../db/repos/links.ts'
import { createNamesRepo, type Place } from '../../db/repos/names.ts'
import type { Job } from '../../jobs/start-job.ts'
import { createLinkIndex } from '../links/link-index.ts'
import { hasPath, pathOf, placeUnplaced } from './place-entity.ts'

type PlaceDeps = { database: Database; kinds: Kinds }

const everyMs = 600_000
/** Looked for in one statement; each is placed in a transaction of its own. */
const batchSize = 100

/** The job that does it. */
export const placeJob = (deps: PlaceDeps): Job => ({
  name: 'paths',
  everyMs,
  isDue: async () => (await listLeft(deps.database, 1)).length > 0,
  run: (signal) => placeAll(deps, signal),
})

/** Pages and files without a path first: links are read with the path of their text. */
const listLeft = async (database: Database, limit: number): Promise<Place[]> => {
  const unplaced = await createNamesRepo(database).listUnplaced(limit)
  return unplaced.length > 0 ? unplaced : await createLinksRepo(database).listUnread(limit)
}

/** How many there were. */
export async function placeAll({ database, kinds }: PlaceDeps, signal?: AbortSignal): Promise<number> {
  let done = 0
  for (;;) {
    const places = await listLeft(database, batchSize)
    for (const place of places) {
      if (signal?.aborted) return done
      await database.checkRoom()
      await database.transaction((tx) => placeOne(tx, kinds, place))
      done += 1
    }
    if (places.length < batchSize && (await listLeft(database, 1)).length === 0) return done
  }
}

async function placeOne(tx: Tx, kinds: Kinds, place: Place): Promise<void> {
  const kind = kinds.get(place.entity_type)
  await createAuditRepo(tx).lock()
  const row = await createEntitiesRepo(tx).lock(kind, place.space_id, place.entity_id)
  // What is gone for good left its links.
  if (!row) return await createLinksRepo(tx).removeLinks(place)
  const placed = hasPath(kind) && pathOf(row) === null ? await placeUnplaced(tx, kind, row) : row
  if (placed.deleted_at !== null) return await createLinksRepo(tx).removeLinks(place)
  const entity = { title: titleOf(placed), text: kind.searchText(placed), path: pathOf(placed) }
  await createLinkIndex(tx).update(place, entity, true)
}

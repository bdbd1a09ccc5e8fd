// The memory pages that a line may go to, with the draft of each that waits.

import type { PendingChange } from '../../contract/changes/pending-change.ts'
import { type EntityRow, textOf } from '../../contract/entities/kind.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import type { AgentActor } from '../../core/actor.ts'
import type { Queryable } from '../../db/pool.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createMemoryPagesRepo, type ReservedPage } from '../../db/repos/memory_pages.ts'
import { createPendingChangesRepo } from '../../db/repos/pending_changes.ts'

export const memoryTitle = 'Memory'
export const everywhereTitle = 'Memory of all Spaces'

export type Place = ReservedPage & {
  /** Of a page that is yet to be created. */
  title: string
  /** What its lines say about where they hold. */
  scope: string
  row: EntityRow | null
  /** A draft of the companion’s that waits: the new line is added to it. */
  waiting: PendingChange | null
  /** The text that the draft begins with. */
  body: string
}

export type Places = readonly [Place, ...Place[]]

type PlacesDeps = { database: Queryable; kinds: Kinds }

/**
 * Where a line goes that holds in a Space, or in all: the first of these, unless a line of another one says the same or
 * is the one that changes. Whether lines may be proposed is what the Space says.
 */
export async function loadPlaces(
  deps: PlacesDeps,
  { agent_id }: Pick<AgentActor, 'agent_id'>,
  space_id: string,
  { everywhere }: { everywhere: boolean },
): Promise<Places> {
  const repo = createMemoryPagesRepo(deps.database)
  const here = { agent_id, title: memoryTitle, scope: 'this Space' }
  const all = { agent_id, title: everywhereTitle, scope: 'all Spaces' }
  if (everywhere) return [await loadPlace(deps, await repo.reserveEverywhere(space_id), all)]
  const place = await loadPlace(deps, await repo.reserve(space_id), here)
  const shared = (await repo.listRead(space_id)).find((page) => page.everywhere)
  return shared ? [place, await loadPlace(deps, shared, all)] : [place]
}

async function loadPlace(
  { database, kinds }: PlacesDeps,
  { page_id, space_id, asks }: ReservedPage,
  { agent_id, ...facts }: Pick<AgentActor, 'agent_id'> & Pick<Place, 'title' | 'scope'>,
): Promise<Place> {
  const draft = { space_id, agent_id, entity_type: 'page', entity_id: page_id }
  const row = await createEntitiesRepo(database).find(kinds.get('page'), space_id, page_id)
  const drafts = await createPendingChangesRepo(database).listWaiting(draft)
  const waiting = drafts.findLast(({ base_version }) => base_version === (row?.version ?? null)) ?? null
  const body = textOf(waiting?.payload.body ?? row?.body)
  return { page_id, space_id, asks, ...facts, row, waiting, body }
}

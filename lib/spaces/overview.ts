import type { LoadCards } from '../changes/card/load-cards.ts'
import type { SpaceOverview } from '../contract/space/overview.ts'
import type { Database } from '../db/pool.ts'
import { createEntitiesRepo } from '../db/repos/entities.ts'
import { createOverviewRepo } from '../db/repos/overview.ts'
import { createPendingChangeListsRepo } from '../db/repos/pending_change_lists.ts'
import type { Kinds } from '../entities/kinds.ts'

const shown = { pages: 8, tasks: 10, drafts: 4 } as const

/** What the home of a Space shows. */
export async function loadOverview(
  db: Database,
  { kinds, loadCards }: { kinds: Kinds; loadCards: LoadCards },
  spaceId: string,
): Promise<SpaceOverview> {
  const overview = createOverviewRepo(db)
  return {
    counts: await createEntitiesRepo(db).countAll(kinds.all, spaceId),
    recent_pages: await overview.listRecentPages(spaceId, shown.pages),
    tasks: await overview.listOpenTasks(spaceId, shown.tasks),
    drafts: await listDrafts(db, loadCards, spaceId),
    ...(await overview.findResumable(spaceId)),
  }
}

async function listDrafts(
  db: Database,
  loadCards: LoadCards,
  spaceId: string,
): Promise<SpaceOverview['drafts']> {
  const changes = await createPendingChangeListsRepo(db).list({
    space_ids: [spaceId],
    agent_id: null,
    status: 'pending',
    before_id: null,
    limit: shown.drafts,
  })
  const count = await createOverviewRepo(db).countPending(spaceId)
  return { count, cards: await loadCards(db, changes) }
}

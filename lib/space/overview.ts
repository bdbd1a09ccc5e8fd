import type { LoadCards } from '../changes/card/load-cards.ts'
import type { Kinds } from '../contract/entities/kinds.ts'
import { type Properties, Task } from '../contract/entities.ts'
import type { Favourite, Reminders, SpaceOverview, TaskGroups, Today } from '../contract/space/home.ts'
import { AppError } from '../core/errors.ts'
import { splitFrontMatter } from '../core/text/markdown.ts'
import { listProperties } from '../core/text/properties/read-properties.ts'
import { typedProperty } from '../core/text/properties/typed-properties.ts'
import type { Database, Queryable } from '../db/pool.ts'
import { createAuditRepo } from '../db/repos/audit.ts'
import { createEntitiesRepo } from '../db/repos/entities.ts'
import { createOverviewRepo, createTasksRepo, type TaskFilter } from '../db/repos/home.ts'
import { createPendingChangeListsRepo } from '../db/repos/pending_change_lists.ts'
import { createContentsRepo } from '../db/repos/space_contents.ts'
import { createFavouritesRepo } from '../db/repos/spaces.ts'
import type { Live } from './live/live.ts'

const shown = { pages: 6, tasks: 10, drafts: 4, linked: 6, folders: 12 } as const

/** Content of a Space's home. */
export async function loadOverview(
  db: Database,
  { kinds, loadCards }: { kinds: Kinds; loadCards: LoadCards },
  spaceId: string,
): Promise<Omit<SpaceOverview, 'folder'>> {
  const overview = createOverviewRepo(db)
  const contents = createContentsRepo(db)
  return {
    counts: await createEntitiesRepo(db).countAll(kinds.all, spaceId),
    recent_pages: await overview.listRecentPages(spaceId, shown.pages),
    tasks: await overview.listOpenTasks(spaceId, shown.tasks),
    drafts: await listDrafts(db, loadCards, spaceId),
    most_linked: await contents.listMostLinked(spaceId, shown.linked),
    folders: await contents.listFolders(spaceId, shown.folders),
    steps: await contents.findSteps(spaceId),
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

/** What a Space holds anything of: types of entities, `mail` and `research`. */
export const listContents = (db: Queryable, kinds: Kinds, spaceId: string): Promise<string[]> =>
  createContentsRepo(db).listContents(kinds.all, spaceId)

/** A Space's favourite pages, in the owner's order. */
export const listFavourites = (db: Queryable, spaceId: string): Promise<Favourite[]> =>
  createFavouritesRepo(db).list(spaceId)

/** Sets the favourite pages. Throws a 404 `AppError` if one is not in the Space, or is in its trash. */
export async function setFavourites(
  { database, live }: { database: Database; live: Live },
  spaceId: string,
  pageIds: readonly string[],
): Promise<Favourite[]> {
  const favourites = await database.transaction(async (tx) => {
    // Same lock order as all writers, which prevents deadlocks.
    await createAuditRepo(tx).lock()
    const repo = createFavouritesRepo(tx)
    if ((await repo.replace(spaceId, pageIds)) < pageIds.length)
      throw new AppError('not_found', 404, 'One of these pages is not in this Space.')
    return await repo.list(spaceId)
  })
  live.publish({ type: 'space', data: { id: spaceId, action: 'update' } })
  return favourites
}

type Item = Properties['items'][number]

/** The front matter properties of a text, for display. */
export const propertiesIn = (text: string): Item[] =>
  listProperties(splitFrontMatter(text).yaml).map(({ name, values, value }) => {
    const typed = value === undefined ? null : typedProperty(name, value)
    // Editing a truncated, cleaned or incomplete value would lose data.
    const isFlat = !Array.isArray(value) || value.length === values.length
    const isWhole =
      isFlat && typed !== null && JSON.stringify(typed.value) === JSON.stringify(value === '' ? null : value)
    return {
      name,
      values,
      ...(isWhole ? { type: typed.type, value: typed.value } : { type: null, value: null }),
    }
  })

const maxTasks = 100

/** Tasks due in these Spaces by a day. */
export async function loadToday(db: Queryable, spaceIds: readonly string[], day: string): Promise<Today> {
  return { day, ...(await createTasksRepo(db).listDue(spaceIds, day, maxTasks)) }
}

const maxReminders = 20

/** Reminders due in these Spaces by a moment. */
export const loadReminders = (db: Queryable, spaceIds: readonly string[], by: Date): Promise<Reminders> =>
  createTasksRepo(db).listReminders(spaceIds, by.toISOString(), maxReminders)

/** A Space's tasks by status: at most `active` of each open status, `closed` of each closed one. */
export async function groupTasks(
  db: Queryable,
  filter: TaskFilter,
  { active, closed }: { active: number; closed: number },
): Promise<TaskGroups> {
  const tasks = createTasksRepo(db)
  const counts = await tasks.countByStatus(filter)
  const groups: TaskGroups['groups'] = []
  for (const status of Task.shape.status.options) {
    const limit = status === 'open' || status === 'in_progress' ? active : closed
    const items = counts.has(status) ? await tasks.listByStatus(filter, status, limit) : []
    groups.push({ status, count: counts.get(status) ?? 0, items })
  }
  return { groups }
}

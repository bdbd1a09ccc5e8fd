import { z } from 'zod'
import { loadCard } from '../../changes/cards.ts'
import type { ActivityItem } from '../../contract/overview.ts'
import { createAuditRepo } from '../../db/repos/audit.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createOverviewRepo } from '../../db/repos/overview.ts'
import { createPendingChangesRepo } from '../../db/repos/pending_changes.ts'
import { card } from '../card-schema.ts'
import type { Deps } from '../deps.ts'
import { route } from '../route.ts'
import { id, idParams } from '../schemas.ts'
import { enterSpace } from '../scope.ts'

const shown = { pages: 8, tasks: 10, drafts: 4, activity: 12 } as const

const activityItem = z.object({
  seq: z.int(),
  at: z.iso.datetime(),
  actor: z.string(),
  action: z.string(),
  entity_type: z.string(),
  entity_id: id,
  title: z.string(),
  fields: z.array(z.string()),
  pending_change_id: id.nullable(),
})

export const overviewRoutes = [
  route({
    method: 'get',
    path: '/api/spaces/:space_id/overview',
    access: 'owner',
    summary: 'What a Space’s home shows: recent pages, open tasks, waiting drafts, recent activity',
    params: idParams('space_id'),
    answers: {
      200: z.object({
        counts: z.record(z.string(), z.number()),
        recent_pages: z.array(
          z.object({ id, title: z.string(), updated_at: z.iso.datetime(), updated_by: z.string() }),
        ),
        tasks: z.array(z.record(z.string(), z.unknown())),
        drafts: z.object({ count: z.int(), cards: z.array(card) }),
        activity: z.array(activityItem),
      }),
    },
    async handle(deps, { actor, params: { space_id } }) {
      await enterSpace(deps, actor, space_id)
      const overview = createOverviewRepo(deps.database)
      return {
        body: {
          counts: await createEntitiesRepo(deps.database).countAll(deps.kinds.all, space_id),
          recent_pages: await overview.listRecentPages(space_id, shown.pages),
          tasks: await overview.listOpenTasks(space_id, shown.tasks),
          drafts: await listDrafts(deps, space_id),
          activity: await listActivity(deps, space_id),
        },
      }
    },
  }),
]

async function listDrafts({ database, kinds }: Deps, spaceId: string) {
  const changes = await createPendingChangesRepo(database).list({
    space_ids: [spaceId],
    agent_id: null,
    status: 'pending',
    before_id: null,
    limit: shown.drafts,
  })
  const cards = []
  for (const change of changes) cards.push(await loadCard(database, kinds, change))
  return { count: await createOverviewRepo(database).countPending(spaceId), cards }
}

async function listActivity({ database, kinds }: Deps, spaceId: string): Promise<ActivityItem[]> {
  const rows = await createAuditRepo(database).list({
    space_id: spaceId,
    entity_id: null,
    before_seq: null,
    limit: shown.activity,
  })
  const ids = rows.map(({ entity_id }) => entity_id)
  const titles = await createOverviewRepo(database).titlesOf(kinds.all, spaceId, ids)
  return rows.map(({ seq, at, actor, action, entity_type, entity_id, after, pending_change_id }) => ({
    seq,
    at,
    actor,
    action,
    entity_type,
    entity_id,
    title: titles.get(entity_id) ?? '',
    fields: action === 'update' ? Object.keys(after ?? {}) : [],
    pending_change_id,
  }))
}

import { z } from 'zod'
import type { ActivityEntry } from '../../contract/activity.ts'
import { type ActivityRow, createActivityRepo } from '../../db/repos/activity.ts'
import { createOverviewRepo } from '../../db/repos/overview.ts'
import type { Deps } from '../deps.ts'
import { route } from '../route.ts'
import { id, listOf } from '../schemas.ts'

const entry = z.object({
  id: z.string(),
  source: z.enum(['change', 'call']),
  at: z.iso.datetime(),
  space_id: id.nullable(),
  actor: z.string(),
  action: z.string(),
  entity_type: z.string().nullable(),
  entity_id: id.nullable(),
  title: z.string(),
  fields: z.array(z.string()),
  pending_change_id: id.nullable(),
  failed: z.boolean(),
  result: z.string(),
  duration_ms: z.int().nullable(),
  arguments: z.unknown(),
}) satisfies z.ZodType<ActivityEntry>

/** The place in the order: the time in microseconds and the entry's id. */
const cursor = z
  .string()
  .regex(/^\d{1,16}~(change|call):[\w-]{1,40}$/)
  .transform((text) => {
    const [stamp = '', id = ''] = text.split('~')
    return { stamp: Number(stamp), id }
  })

export const activityRoutes = [
  route({
    method: 'get',
    path: '/api/activity',
    access: 'owner',
    summary: 'What changed and what agents did, in one order, latest first',
    query: z.object({
      space_id: id.optional(),
      source: z.enum(['change', 'call']).optional(),
      actor: z.string().max(200).optional(),
      entity_type: z.string().max(40).optional(),
      action: z.string().max(80).optional(),
      cursor: cursor.optional().describe('The next_cursor of the page before'),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    answers: { 200: listOf(entry) },
    async handle(deps, { query: { space_id, source, actor, entity_type, action, cursor, limit } }) {
      const rows = await createActivityRepo(deps.database).list({
        space_id: space_id ?? null,
        source: source ?? null,
        actor: actor ?? null,
        entity_type: entity_type ?? null,
        action: action ?? null,
        after: cursor ?? null,
        limit: limit + 1,
      })
      const shown = rows.slice(0, limit)
      const last = shown.at(-1)
      const next_cursor = rows.length > limit && last ? `${last.stamp}~${last.id}` : null
      return { body: { items: await withTitles(deps, shown), next_cursor } }
    },
  }),
]

async function withTitles({ database, kinds }: Deps, rows: ActivityRow[]): Promise<ActivityEntry[]> {
  const titles = new Map<string, string>()
  for (const [spaceId, ofSpace] of Map.groupBy(rows, ({ space_id }) => space_id)) {
    if (spaceId === null) continue
    const ids = ofSpace.flatMap(({ entity_id }) => entity_id ?? [])
    const found = await createOverviewRepo(database).titlesOf(kinds.all, spaceId, ids)
    for (const [id, title] of found) titles.set(id, title)
  }
  return rows.map(({ stamp, ...row }) => ({ ...row, title: titles.get(row.entity_id ?? '') ?? '' }))
}

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import type { ActivityEntry, ActivitySource } from '../../contract/activity.ts'
import { type ActivityRow, createActivityRepo } from '../../db/repos/activity.ts'
import { createOverviewRepo } from '../../db/repos/overview.ts'
import { plainText } from '../../text/plain-text.ts'
import type { Deps } from '../deps.ts'
import { route } from '../route.ts'
import { id, listOf } from '../schemas.ts'

const source = z.enum(['change', 'call', 'message', 'draft', 'decision']) satisfies z.ZodType<ActivitySource>

const entry = z.object({
  id: z.string(),
  source,
  at: z.iso.datetime(),
  space_id: id.nullable(),
  actor: z.string(),
  action: z.string(),
  entity_type: z.string().nullable(),
  entity_id: id.nullable(),
  title: z.string(),
  exists: z.boolean(),
  fields: z.array(z.string()),
  pending_change_id: id.nullable(),
  turn_id: id.nullable(),
  conversation_id: id.nullable(),
  tool_use_id: z.string().nullable(),
  failed: z.boolean(),
  result: z.string(),
  duration_ms: z.int().nullable(),
  arguments: z.unknown(),
}) satisfies z.ZodType<ActivityEntry>

/** The place in the order: the time to the microsecond and the entry's id. */
const cursor = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z~(change|call|message|draft|decision):[\w-]{1,40}$/)
  .transform((text) => {
    const [stamp = '', id = ''] = text.split('~')
    return { stamp, id }
  })

const filter = z.object({
  space_id: id.optional(),
  source: source.optional(),
  actor: z.string().max(200).optional(),
  entity_type: z.string().max(40).optional(),
  action: z.string().max(80).optional(),
  turn_id: id.optional(),
})

/** Entries of one page of an export. */
const perPage = 500

export const activityRoutes = [
  route({
    method: 'get',
    path: '/api/activity',
    access: 'owner',
    summary: 'What changed, what agents did, what was said, drafted and decided, in one order, latest first',
    query: filter.extend({
      cursor: cursor.optional().describe('The next_cursor of the page before'),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    answers: { 200: listOf(entry) },
    async handle(deps, { query: { cursor, limit, ...filter } }) {
      return { body: await readPage(deps, filter, cursor ?? null, limit) }
    },
  }),

  route({
    method: 'get',
    path: '/api/activity/export',
    access: 'owner',
    summary: 'The same as JSON Lines, all of it',
    query: filter,
    answers: { 200: z.string().describe('One entry a line, latest first') },
    mediaType: 'application/x-ndjson',
    async handle(deps, { res, query }) {
      res.writeHead(200, {
        'content-type': 'application/x-ndjson; charset=utf-8',
        'content-disposition': 'attachment; filename="void-activity.jsonl"',
        'cache-control': 'no-store',
      })
      try {
        await pipeline(Readable.from(exportLines(deps, query)), res)
      } catch (error) {
        // A reader that went away is no failure; any other must not look like a complete file.
        if (!res.destroyed) throw error
      }
      return undefined
    },
  }),
]

/** Every entry as a line, then one that proves that nothing is missing. */
async function* exportLines(deps: Deps, query: z.infer<typeof filter>) {
  let after: Place | null = null
  let count = 0
  do {
    const { items, next_cursor }: Page = await readPage(deps, query, after, perPage)
    for (const item of items) yield `${JSON.stringify(item)}\n`
    count += items.length
    after = next_cursor === null ? null : cursor.parse(next_cursor)
  } while (after !== null)
  yield `${JSON.stringify({ source: 'end', count })}\n`
}

type Place = z.infer<typeof cursor>
type Page = { items: ActivityEntry[]; next_cursor: string | null }

async function readPage(
  deps: Deps,
  { space_id, source, actor, entity_type, action, turn_id }: z.infer<typeof filter>,
  after: Place | null,
  limit: number,
): Promise<Page> {
  const rows = await createActivityRepo(deps.database).list({
    space_id: space_id ?? null,
    source: source ?? null,
    actor: actor ?? null,
    entity_type: entity_type ?? null,
    action: action ?? null,
    turn_id: turn_id ?? null,
    after,
    limit: limit + 1,
  })
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: await withTitles(deps, shown),
    next_cursor: rows.length > limit && last ? `${last.stamp}~${last.id}` : null,
  }
}

async function withTitles({ database, kinds }: Deps, rows: ActivityRow[]): Promise<ActivityEntry[]> {
  const titles = new Map<string, string>()
  const drafted = new Map<string, string>()
  for (const [spaceId, ofSpace] of Map.groupBy(rows, ({ space_id }) => space_id)) {
    if (spaceId === null) continue
    const ids = ofSpace.flatMap(({ entity_id }) => entity_id ?? [])
    const found = await createOverviewRepo(database).titlesOf(kinds.all, spaceId, ids)
    for (const [id, title] of found) titles.set(id, title)
    const drafts = ofSpace.flatMap(({ entity_id, pending_change_id }) =>
      found.has(entity_id ?? '') ? [] : (pending_change_id ?? []),
    )
    if (drafts.length === 0) continue
    for (const [id, title] of await createActivityRepo(database).draftedTitles(spaceId, drafts))
      drafted.set(id, title)
  }
  return rows.map(({ stamp, ...row }) => {
    const id = row.entity_id ?? ''
    return {
      ...row,
      title: titles.get(id) ?? drafted.get(id) ?? '',
      exists: titles.has(id) || row.entity_type === 'space',
      result: row.source === 'message' ? inOneLine(row.result) : row.result,
    }
  })
}

const inOneLine = (markdown: string) => plainText(markdown).replace(/\s+/g, ' ').trim()

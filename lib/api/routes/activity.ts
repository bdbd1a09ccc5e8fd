import { z } from 'zod'
import { ActivityEnd, ActivityEntry, ActivitySource } from '../../contract/activity.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import { rowOf } from '../../contract/entities.ts'
import { listOf } from '../../contract/list.ts'
import { id } from '../../contract/scalars.ts'
import { ToolResult } from '../../contract/sources.ts'
import { notFound } from '../../core/errors.ts'
import { keepResult } from '../../outside/sources/store-result.ts'
import { listActivity, walkActivity } from '../../space/activity/list-activity.ts'
import { sendJsonLines } from '../download.ts'
import { idParams, route } from '../route.ts'

const dateTime = z.iso.datetime({ precision: 6 })

/** The place in the order: the time to the microsecond and the entry's id. */
const cursor = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z~(change|call|message|draft|decision|glance):[\w-]{1,40}$/)
  .transform((text) => {
    const [stamp = '', id = ''] = text.split('~')
    return { stamp, id }
  })
  .refine(({ stamp }) => stamp > '0001' && dateTime.safeParse(stamp).success, 'no such time')

const filters = z.object({
  space_id: id.optional(),
  source: ActivitySource.optional(),
  actor: z
    .string()
    .max(200)
    .optional()
    .describe(
      '`owner`, `agent:<slug>`, `system:<name>`; `agents`: all agents, including changes from their drafts',
    ),
  entity_type: z.string().max(40).optional(),
  entity_id: id.optional(),
  action: z.string().max(100).optional(),
  conversation_id: id.optional(),
  turn_id: id.optional(),
  status: z
    .enum(['pending', 'error', 'cancelled', 'unfinished'])
    .optional()
    .describe('Failed calls, cancelled calls, or both (`unfinished`)'),
})

const filterOf = (query: z.infer<typeof filters>) => ({
  space_id: query.space_id ?? null,
  source: query.source ?? null,
  actor: query.actor ?? null,
  entity_type: query.entity_type ?? null,
  entity_id: query.entity_id ?? null,
  action: query.action ?? null,
  conversation_id: query.conversation_id ?? null,
  turn_id: query.turn_id ?? null,
  status: query.status ?? null,
})

/** Entries of one page of an export. */
const entriesPerPage = 500

export const activityRoutes = [
  route({
    method: 'get',
    path: '/api/activity',
    access: 'owner',
    summary: 'List activity, latest first: changes, agent calls, messages, drafts and decisions',
    query: filters.extend({
      cursor: cursor.optional().describe('next_cursor of the previous page'),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    answers: { 200: listOf(ActivityEntry) },
    async handle({ database, kinds }, { query }) {
      const filter = { ...filterOf(query), after: query.cursor ?? null, limit: query.limit }
      const { items, next } = await listActivity(database, kinds, filter)
      return { body: { items, next_cursor: next && `${next.stamp}~${next.id}` } }
    },
  }),

  route({
    method: 'get',
    path: '/api/activity/export',
    access: 'owner',
    summary: 'Export all activity as JSON Lines',
    query: filters,
    answers: { 200: z.string().describe('One entry per line, latest first') },
    mediaType: 'application/x-ndjson',
    stream: z.union([ActivityEntry, ActivityEnd]),
    async handle({ database, kinds }, { res, query }) {
      const entries = walkActivity(database, kinds, { ...filterOf(query), limit: entriesPerPage })
      await sendJsonLines(res, 'void-activity.jsonl', withEnd(entries))
      return undefined
    },
  }),
]

/** Every entry, then what proves that nothing is missing. */
async function* withEnd(entries: AsyncIterable<ActivityEntry>) {
  let count = 0
  for await (const entry of entries) {
    count += 1
    yield entry
  }
  yield { source: 'end', count }
}

/** What tools of sources answered. */
export const toolResultRoutes = (kinds: Kinds) => [
  route({
    method: 'get',
    path: '/api/tool-results/:id',
    access: 'owner',
    summary: 'Get the stored result of a source tool call',
    params: idParams('id'),
    answers: { 200: ToolResult },
    async handle({ repos }, { params: { id } }) {
      const result = await repos.toolResults.find(id)
      if (!result) throw notFound('tool result', id)
      return { body: result }
    },
  }),

  route({
    method: 'post',
    path: '/api/tool-results/:id/keep',
    access: 'owner',
    summary: 'Save a tool result as a searchable file; idempotent',
    params: idParams('id'),
    answers: { 201: rowOf(kinds.get('source_doc')) },
    async handle({ database, kinds, content: { writer } }, { params: { id }, actor }) {
      return { status: 201, body: await keepResult({ database, kinds, writer }, actor, id) }
    },
  }),
]

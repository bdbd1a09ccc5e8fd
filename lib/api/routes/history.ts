import { z } from 'zod'
import { diffVersions, listVersions } from '../../changes/history.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import type { EntityRow, Kind } from '../../entities/kind.ts'
import { notFound } from '../../errors.ts'
import type { Deps } from '../deps.ts'
import { type Route, route } from '../route.ts'
import { id, idParams, listOf, version } from '../schemas.ts'

const undoMark = z.object({ seq: z.int(), at: z.iso.datetime(), by: z.string() })

const entityVersion = z.object({
  seq: z.int().describe('Of the audit row: what an undo names'),
  version: version.nullable(),
  at: z.iso.datetime(),
  actor: z.string(),
  action: z.string(),
  fields: z.array(z.string()).describe('What an update changed'),
  undoes: z.object({ seq: z.int(), since: z.int() }).nullable(),
  undone: undoMark.nullable().describe('The undo that took it back and still stands'),
  reason: z
    .object({
      pending_change_id: id,
      agent: z.object({ slug: z.string(), name: z.string() }),
      note: z.string().describe('The agent’s own words, plain text'),
      conversation: z.object({ id, title: z.string() }).nullable(),
      asked: z.string().nullable().describe('What the owner had asked'),
    })
    .nullable(),
})

const versionDiff = z.object({
  from: version,
  to: version,
  fields: z.array(z.object({ name: z.string(), before: z.unknown(), after: z.unknown() })),
})

/** The history of one kind. */
export function historyRoutes(kind: Kind): Route[] {
  const path = `/api/${kind.path}/:id/history`
  const params = idParams('id')
  return [
    route({
      method: 'get',
      path,
      access: 'owner',
      summary: `List the versions of a ${kind.label}, newest first: who, when and why`,
      params,
      query: z.object({
        cursor: z.coerce.number().int().min(1).optional().describe('The next_cursor of the page before'),
        limit: z.coerce.number().int().min(1).max(200).default(50),
      }),
      answers: { 200: listOf(entityVersion) },
      async handle(deps, { params: { id }, query: { cursor, limit } }) {
        const page = { before_seq: cursor ?? null, limit: limit + 1 }
        const rows = await listVersions(deps.database, await find(deps, kind, id), page)
        const items = rows.slice(0, limit)
        return { body: { items, next_cursor: rows.length > limit ? String(items.at(-1)?.seq) : null } }
      },
    }),

    route({
      method: 'get',
      path: `${path}/diff`,
      access: 'owner',
      summary: `What differs between two versions of a ${kind.label}`,
      params,
      query: z.object({ from: z.coerce.number().int().min(1), to: z.coerce.number().int().min(1) }),
      answers: { 200: versionDiff },
      async handle(deps, { params: { id }, query }) {
        return { body: await diffVersions(deps.database, await find(deps, kind, id), query) }
      },
    }),
  ]
}

async function find({ database }: Deps, kind: Kind, id: string): Promise<EntityRow> {
  const row = await createEntitiesRepo(database).findWithinSpaces(kind, null, id)
  if (!row) throw notFound(kind.label, id)
  return row
}

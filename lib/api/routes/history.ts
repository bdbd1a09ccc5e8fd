import { z } from 'zod'
import { diffVersions, listVersions } from '../../content/writes/history.ts'
import type { Kind } from '../../contract/entities/kind.ts'
import { EntityVersion, VersionDiff } from '../../contract/entities.ts'
import { listOf } from '../../contract/list.ts'
import { findEntity } from '../find-entity.ts'
import { idParams, versionParam } from '../params.ts'
import { type Route, route } from '../route.ts'

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
      answers: { 200: listOf(EntityVersion) },
      async handle(deps, { actor, params: { id }, query: { cursor, limit } }) {
        const page = { before_seq: cursor ?? null, limit: limit + 1 }
        const rows = await listVersions(deps.database, await findEntity(deps, actor, kind, id), page)
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
      query: z.object({ from: versionParam, to: versionParam }),
      answers: { 200: VersionDiff },
      async handle(deps, { actor, params: { id }, query }) {
        return { body: await diffVersions(deps.database, await findEntity(deps, actor, kind, id), query) }
      },
    }),
  ]
}

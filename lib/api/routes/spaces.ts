import { z } from 'zod'
import { createSpacesRepo, type SpaceRow } from '../../db/repos/spaces.ts'
import { notFound } from '../../errors.ts'
import { createSpace, setSpaceDeleted, updateSpace } from '../../spaces/write-space.ts'
import { cleanLine } from '../../text/clean.ts'
import type { Deps } from '../deps.ts'
import { route } from '../route.ts'
import { flag, idParams, listOf, page, pageQuery, spaceRow, version } from '../schemas.ts'
import { checkRead, enterSpace, spacesOf } from '../scope.ts'
import { namedVersion, requiredVersion } from '../validate.ts'

const params = idParams('space_id')
const slug = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'lower-case letters, digits and single hyphens')
  .max(80)
const name = z.string().overwrite(cleanLine).min(1).max(200)
const description = z.string().overwrite(cleanLine).max(2000)

export const spaceRoutes = [
  route({
    method: 'get',
    path: '/api/spaces',
    access: 'agent',
    summary: 'List the Spaces, newest first',
    query: pageQuery.extend({ deleted: flag.describe('The trash instead') }),
    answers: { 200: listOf(spaceRow) },
    async handle({ database }, { actor, query: { cursor, limit, deleted } }) {
      checkRead(actor, 'space')
      const rows = await createSpacesRepo(database).list({
        within: spacesOf(actor),
        deleted,
        before_id: cursor ?? null,
        limit: limit + 1,
      })
      return { body: page(rows, limit) }
    },
  }),

  route({
    method: 'post',
    path: '/api/spaces',
    access: 'owner',
    summary: 'Make a Space',
    body: z.strictObject({ name, slug: slug.optional(), description: description.optional() }),
    answers: { 201: spaceRow },
    async handle(deps, { actor, body }) {
      return { status: 201, body: tell(deps, 'create', await createSpace(deps.database, actor, body)) }
    },
  }),

  route({
    method: 'get',
    path: '/api/spaces/:space_id',
    access: 'agent',
    summary: 'Read a Space',
    params,
    answers: { 200: spaceRow },
    async handle(deps, { actor, params: { space_id } }) {
      checkRead(actor, 'space')
      return { body: await enterSpace(deps, actor, space_id) }
    },
  }),

  route({
    method: 'patch',
    path: '/api/spaces/:space_id',
    access: 'owner',
    summary: 'Change a Space',
    params,
    body: z.strictObject({
      version: version.optional(),
      name: name.optional(),
      slug: slug.optional(),
      description: description.optional(),
    }),
    answers: { 200: spaceRow },
    async handle(deps, { actor, req, params: { space_id }, body: { version: inBody, ...fields } }) {
      const seen = requiredVersion(req, inBody)
      const row = await updateSpace(deps.database, actor, { id: space_id, version: seen, fields })
      return { body: tell(deps, 'update', row) }
    },
  }),

  route({
    method: 'delete',
    path: '/api/spaces/:space_id',
    access: 'owner',
    summary: 'Put a Space in the trash, with all that it holds',
    params,
    body: z.strictObject({ version: version.optional() }).optional(),
    answers: { 200: spaceRow },
    async handle(deps, { actor, req, params: { space_id }, body }) {
      const seen = namedVersion(req, body?.version)
      const deletedAt = deps.now().toISOString()
      const row = await setSpaceDeleted(deps.database, actor, { id: space_id, version: seen, deletedAt })
      return { body: tell(deps, 'delete', row) }
    },
  }),

  route({
    method: 'post',
    path: '/api/spaces/:space_id/restore',
    access: 'owner',
    summary: 'Take a Space out of the trash',
    params,
    answers: { 200: spaceRow },
    async handle(deps, { actor, params: { space_id } }) {
      const { database } = deps
      const deleted = await createSpacesRepo(database).find(space_id, null, true)
      if (!deleted) throw notFound('deleted Space', space_id)
      const row = await setSpaceDeleted(database, actor, { id: space_id, version: null, deletedAt: null })
      return { body: tell(deps, 'restore', row) }
    },
  }),
]

function tell({ live }: Deps, action: 'create' | 'update' | 'delete' | 'restore', row: SpaceRow): SpaceRow {
  live.publish({ type: 'space', data: { id: row.id, action } })
  return row
}

import { z } from 'zod'
import { Space, SpaceInstructions } from '../../contract/entities.ts'
import { markColors, maxFavourites, maxSpaceInstructions } from '../../contract/limits.ts'
import { listOf } from '../../contract/list.ts'
import { id } from '../../contract/scalars.ts'
import type { Folder } from '../../contract/space/folder.ts'
import { Favourite, SpaceOverview } from '../../contract/space/home.ts'
import { notFound } from '../../core/errors.ts'
import { cleanLine, cleanText } from '../../core/text/clean.ts'
import { listContents, listFavourites, loadOverview, setFavourites } from '../../space/overview.ts'
import {
  flag,
  idParams,
  namedVersion,
  page,
  pageQuery,
  requiredVersion,
  route,
  seenVersion,
} from '../route.ts'
import { checkRead, enterSpace, spacesOf } from '../scope.ts'

const params = idParams('space_id')

const slug = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'lower-case letters, digits and single hyphens')
  .max(80)

const name = z.string().overwrite(cleanLine).min(1).max(200)

const description = z.string().overwrite(cleanLine).max(2000)

const instructions = z.string().overwrite(cleanText).max(maxSpaceInstructions)

const emoji = z
  .string()
  .max(16)
  .refine((text) => /^\p{RGI_Emoji}?$/v.test(text), 'One emoji, or empty')

export const spaceRoutes = [
  route({
    method: 'get',
    path: '/api/spaces',
    access: 'agent',
    summary: 'List Spaces, newest first',
    query: pageQuery.extend({ deleted: flag.describe('List the trash instead') }),
    answers: { 200: listOf(Space) },
    async handle({ repos }, { actor, query: { cursor, limit, deleted } }) {
      checkRead(actor, 'space')
      const rows = await repos.spaces.list({
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
    summary: 'Create a Space',
    body: z.strictObject({ name, slug: slug.optional(), description: description.optional() }),
    answers: { 201: Space },
    async handle({ content: { spaces } }, { actor, body }) {
      return { status: 201, body: await spaces.create(actor, body) }
    },
  }),

  route({
    method: 'get',
    path: '/api/spaces/:space_id',
    access: 'agent',
    summary: 'Get a Space',
    params,
    answers: { 200: Space },
    async handle(deps, { actor, params: { space_id } }) {
      checkRead(actor, 'space')
      return { body: await enterSpace(deps, actor, space_id) }
    },
  }),

  route({
    method: 'patch',
    path: '/api/spaces/:space_id',
    access: 'owner',
    summary: 'Update a Space',
    params,
    body: z.strictObject({
      version: seenVersion.optional(),
      name: name.optional(),
      slug: slug.optional(),
      description: description.optional(),
      color: z.enum(markColors).optional(),
      emoji: emoji.optional().describe('Shown instead of its first letter; empty: none'),
      line_breaks: z.boolean().optional().describe('Show single line breaks as breaks'),
      instructions: instructions.optional().describe('Owner’s instructions to every companion in the Space'),
    }),
    answers: { 200: Space },
    async handle(
      { content: { spaces } },
      { actor, req, params: { space_id }, body: { version: inBody, ...fields } },
    ) {
      const version = requiredVersion(req, inBody)
      return { body: await spaces.update(actor, { id: space_id, version, fields }) }
    },
  }),

  route({
    method: 'get',
    path: '/api/spaces/:space_id/instructions',
    access: 'owner',
    summary: 'Get the companion instructions of a Space, with the version of the Space',
    params,
    answers: { 200: SpaceInstructions },
    async handle({ repos }, { params: { space_id } }) {
      const space = await repos.spaces.findNamed(space_id)
      if (!space) throw notFound('Space', space_id)
      return { body: { instructions: space.instructions, version: space.version } }
    },
  }),

  route({
    method: 'delete',
    path: '/api/spaces/:space_id',
    access: 'owner',
    summary: 'Move a Space and its contents to the trash',
    params,
    body: z.strictObject({ version: seenVersion.optional() }).optional(),
    answers: { 200: Space },
    async handle({ content: { spaces } }, { actor, req, params: { space_id }, body }) {
      return { body: await spaces.remove(actor, space_id, namedVersion(req, body?.version)) }
    },
  }),

  route({
    method: 'post',
    path: '/api/spaces/:space_id/restore',
    access: 'owner',
    summary: 'Restore a Space from the trash',
    params,
    answers: { 200: Space },
    async handle({ content: { spaces } }, { actor, params: { space_id } }) {
      return { body: await spaces.restore(actor, space_id) }
    },
  }),
]

export const overviewRoutes = [
  route({
    method: 'get',
    path: '/api/spaces/:space_id/overview',
    access: 'owner',
    summary:
      'Get the overview of a Space: open tasks, pending drafts, recent pages and the latest conversation',
    params: idParams('space_id'),
    answers: { 200: SpaceOverview },
    async handle(deps, { actor, params: { space_id } }) {
      await enterSpace(deps, actor, space_id)
      const { loadCards } = deps.changes
      const overview = await loadOverview(deps.database, { kinds: deps.kinds, loadCards }, space_id)
      const folder = await deps.content.folders.findConnected(space_id)
      return { body: { ...overview, folder: folder && briefly(folder) } }
    },
  }),
]

export const contentsRoutes = [
  route({
    method: 'get',
    path: '/api/spaces/:space_id/contents',
    access: 'owner',
    summary: 'List what a Space holds anything of: entity types, mail and research',
    params: idParams('space_id'),
    answers: { 200: z.object({ items: z.array(z.string()) }) },
    async handle(deps, { actor, params: { space_id } }) {
      await enterSpace(deps, actor, space_id)
      return { body: { items: await listContents(deps.database, deps.kinds, space_id) } }
    },
  }),
]

const at = {
  path: '/api/spaces/:space_id/favourites',
  access: 'owner',
  params: idParams('space_id'),
} as const

const answers = { 200: z.object({ items: z.array(Favourite) }) }

export const favouriteRoutes = [
  route({
    ...at,
    method: 'get',
    summary: 'List the favourite pages of a Space',
    answers,
    async handle(deps, { actor, params: { space_id } }) {
      await enterSpace(deps, actor, space_id)
      return { body: { items: await listFavourites(deps.database, space_id) } }
    },
  }),

  route({
    ...at,
    method: 'put',
    summary: 'Replace the favourite pages of a Space, in this order',
    body: z.strictObject({
      page_ids: z
        .array(id)
        .max(maxFavourites)
        .refine((ids) => new Set(ids).size === ids.length, 'Each page once'),
    }),
    answers,
    async handle(deps, { actor, params: { space_id }, body }) {
      await enterSpace(deps, actor, space_id)
      const { database, server } = deps
      return {
        body: { items: await setFavourites({ database, live: server.live }, space_id, body.page_ids) },
      }
    },
  }),
]

const briefly = ({ state, problem, waiting, held, last_at, watched }: Folder): SpaceOverview['folder'] => ({
  ...{ state, problem, waiting, last_at, watched },
  held: held.length,
})

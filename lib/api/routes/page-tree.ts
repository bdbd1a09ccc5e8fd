import { z } from 'zod'
import { id } from '../../contract/scalars.ts'
import { EmbeddedPage, FoundPage, PagePlace, TreePage } from '../../contract/space/pages.ts'
import { findPagesByTitle, findPlace, listEmbedded, listPagesBelow, listTree } from '../../space/page-tree.ts'
import { findLive } from '../find-entity.ts'
import { idParams } from '../params.ts'
import { route } from '../route.ts'
import { checkRead, enterSpace } from '../scope.ts'

export const pageTreeRoutes = [
  route({
    method: 'get',
    path: '/api/spaces/:space_id/page-tree',
    access: 'agent',
    summary: 'The pages at the top of a Space and, on the way to one of them, those below',
    params: idParams('space_id'),
    query: z.object({
      open: id.optional().describe('Opens every level down to this page, and the one below it'),
      below: id.optional().describe('Only the pages right below this one'),
      levels: z.coerce
        .number()
        .int()
        .min(1)
        .max(2)
        .default(1)
        .describe('2: also what is right below the top'),
    }),
    answers: { 200: z.object({ items: z.array(TreePage) }) },
    async handle(deps, { actor, params: { space_id }, query: { open, below, levels } }) {
      checkRead(actor, 'page')
      await enterSpace(deps, actor, space_id)
      const items = below
        ? await listPagesBelow(deps.database, space_id, below)
        : await listTree(deps.database, space_id, { open: open ?? null, levels })
      return { body: { items } }
    },
  }),

  route({
    method: 'get',
    path: '/api/spaces/:space_id/page-titles',
    access: 'agent',
    summary: 'The pages whose title holds a text, each with the titles above it',
    params: idParams('space_id'),
    query: z.object({ q: z.string().trim().max(200).default('') }),
    answers: { 200: z.object({ items: z.array(FoundPage) }) },
    async handle(deps, { actor, params: { space_id }, query: { q } }) {
      checkRead(actor, 'page')
      await enterSpace(deps, actor, space_id)
      return { body: { items: await findPagesByTitle(deps.database, space_id, q) } }
    },
  }),

  route({
    method: 'get',
    path: '/api/pages/:id/place',
    access: 'agent',
    summary: 'The pages above a page, from the top, and those right below it',
    params: idParams('id'),
    answers: { 200: PagePlace },
    async handle(deps, { actor, params: { id } }) {
      checkRead(actor, 'page')
      const { space_id } = await findLive(deps, actor, deps.kinds.get('page'), id)
      return { body: await findPlace(deps.database, space_id, id) }
    },
  }),

  route({
    method: 'get',
    path: '/api/pages/:id/embeds',
    access: 'agent',
    summary: 'The pages that a page shows within its text, and those that these show, with their links',
    params: idParams('id'),
    answers: { 200: z.object({ items: z.array(EmbeddedPage) }) },
    async handle(deps, { actor, params: { id } }) {
      checkRead(actor, 'page')
      const { space_id } = await findLive(deps, actor, deps.kinds.get('page'), id)
      return { body: { items: await listEmbedded(deps.database, space_id, id) } }
    },
  }),
]

import { z } from 'zod'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createLinksRepo } from '../../db/repos/links.ts'
import { createPageTreeRepo } from '../../db/repos/page_tree.ts'
import { notFound } from '../../errors.ts'
import { route } from '../route.ts'
import { id, idParams, linkOut } from '../schemas.ts'
import { checkRead, enterSpace, spacesOf } from '../scope.ts'

/** Pages of one level that are listed; a longer level is what search is for. */
const mostOfLevel = 300
const mostFound = 50
/** Pages within pages within a page: further in, a link stands for them. */
const embeddedSteps = 3
const mostEmbedded = 40
/** Characters of text that come along with a page for being shown within it. */
const mostEmbeddedText = 400_000

const treePage = z.object({
  id,
  title: z.string(),
  parent_id: id.nullable(),
  position: z.int(),
  has_children: z.boolean(),
})
const embedded = z.object({ id, title: z.string(), body: z.string(), links: z.array(linkOut) })
const above = z.array(z.object({ id, title: z.string() })).describe('From the top')

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
    answers: { 200: z.object({ items: z.array(treePage) }) },
    async handle(deps, { actor, params: { space_id }, query: { open, below, levels } }) {
      checkRead(actor, 'page')
      await enterSpace(deps, actor, space_id)
      const tree = createPageTreeRepo(deps.database)
      if (below) return { body: { items: await tree.listBelow(space_id, [below], mostOfLevel) } }

      const top = await tree.listTop(space_id, mostOfLevel)
      const path = open ? await tree.listPath(space_id, open) : []
      const second = levels === 2 ? top.filter(({ has_children }) => has_children).map((page) => page.id) : []
      const opened = [...new Set([...path, ...second])]
      const inner = opened.length > 0 ? await tree.listBelow(space_id, opened, mostOfLevel) : []
      return { body: { items: [...top, ...inner] } }
    },
  }),

  route({
    method: 'get',
    path: '/api/spaces/:space_id/page-titles',
    access: 'agent',
    summary: 'The pages whose title holds a text, each with the titles above it',
    params: idParams('space_id'),
    query: z.object({ q: z.string().trim().max(200).default('') }),
    answers: { 200: z.object({ items: z.array(treePage.extend({ above })) }) },
    async handle(deps, { actor, params: { space_id }, query: { q } }) {
      checkRead(actor, 'page')
      await enterSpace(deps, actor, space_id)
      const tree = createPageTreeRepo(deps.database)
      const found = await tree.listTitled(space_id, q, mostFound)
      const items = await Promise.all(
        found.map(async (page) => ({ ...page, above: await tree.listAbove(space_id, page.id) })),
      )
      return { body: { items } }
    },
  }),

  route({
    method: 'get',
    path: '/api/pages/:id/place',
    access: 'agent',
    summary: 'The pages above a page, from the top, and those right below it',
    params: idParams('id'),
    answers: { 200: z.object({ above, below: z.array(treePage) }) },
    async handle({ database, kinds }, { actor, params: { id } }) {
      checkRead(actor, 'page')
      const page = await createEntitiesRepo(database).findWithinSpaces(kinds.get('page'), spacesOf(actor), id)
      if (!page || page.deleted_at !== null) throw notFound('page', id)
      const tree = createPageTreeRepo(database)
      return {
        body: {
          above: await tree.listAbove(page.space_id, id),
          below: await tree.listBelow(page.space_id, [id], mostOfLevel),
        },
      }
    },
  }),

  route({
    method: 'get',
    path: '/api/pages/:id/embeds',
    access: 'agent',
    summary: 'The pages that a page shows within its text, and those that these show, with their links',
    params: idParams('id'),
    answers: { 200: z.object({ items: z.array(embedded) }) },
    async handle({ database, kinds }, { actor, params: { id } }) {
      checkRead(actor, 'page')
      const page = await createEntitiesRepo(database).findWithinSpaces(kinds.get('page'), spacesOf(actor), id)
      if (!page || page.deleted_at !== null) throw notFound('page', id)
      const links = createLinksRepo(database)
      const limits = { steps: embeddedSteps, limit: mostEmbedded }
      let text = 0
      const found = (await links.listEmbedded(page.space_id, id, limits)).filter(({ body }) => {
        text += body.length
        return text <= mostEmbeddedText
      })
      const ids = found.map((each) => each.id)
      const byPage = Map.groupBy(await links.listFromAll(page.space_id, ids), ({ from_id }) => from_id)
      const items = found.map((each) => ({
        ...each,
        links: (byPage.get(each.id) ?? []).map(({ from_id, ...link }) => link),
      }))
      return { body: { items } }
    },
  }),
]

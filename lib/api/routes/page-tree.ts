import { z } from 'zod'
import { createPageTreeRepo } from '../../db/repos/page_tree.ts'
import { route } from '../route.ts'
import { id, idParams } from '../schemas.ts'
import { checkRead, enterSpace } from '../scope.ts'

/** Pages of one level that are listed; a longer level is what search is for. */
const mostOfLevel = 300

const treePage = z.object({
  id,
  title: z.string(),
  parent_id: id.nullable(),
  position: z.int(),
  has_children: z.boolean(),
})

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
    }),
    answers: { 200: z.object({ items: z.array(treePage) }) },
    async handle(deps, { actor, params: { space_id }, query: { open, below } }) {
      checkRead(actor, 'page')
      await enterSpace(deps, actor, space_id)
      const tree = createPageTreeRepo(deps.database)
      if (below) return { body: { items: await tree.listBelow(space_id, [below], mostOfLevel) } }

      const top = await tree.listTop(space_id, mostOfLevel)
      const path = open ? await tree.listPath(space_id, open) : []
      const inner = path.length > 0 ? await tree.listBelow(space_id, path, mostOfLevel) : []
      return { body: { items: [...top, ...inner] } }
    },
  }),
]

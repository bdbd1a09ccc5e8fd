import { z } from 'zod'
import { id } from '../../contract/scalars.ts'
import { Graph } from '../../contract/space/graph.ts'
import { notFound } from '../../core/errors.ts'
import { loadGraph, loadGraphAround } from '../../space/graph.ts'
import { idParams, route } from '../route.ts'
import { checkRead, enterSpace, findLive } from '../scope.ts'

export const graphRoutes = [
  route({
    method: 'get',
    path: '/api/spaces/:space_id/graph',
    access: 'agent',
    summary: 'Get the pages of a Space and the links among them, or those around a page',
    params: idParams('space_id'),
    query: z.object({
      around: id.optional().describe('Only the pages that are `steps` links away from this page or nearer'),
      steps: z.coerce.number().int().min(1).max(3).default(2),
    }),
    answers: { 200: Graph },
    async handle(deps, { actor, params: { space_id }, query: { around, steps } }) {
      checkRead(actor, 'page')
      await enterSpace(deps, actor, space_id)
      const { database } = deps
      if (!around) return { body: await loadGraph(database, space_id) }
      const page = await findLive(deps, actor, deps.kinds.get('page'), around)
      if (page.space_id !== space_id) throw notFound('page', around)
      return { body: await loadGraphAround(database, space_id, { page_id: around, steps }) }
    },
  }),
]

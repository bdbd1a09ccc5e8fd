import { z } from 'zod'
import { spacesOfEntities } from '../../db/repos/chunks.ts'
import { invalid } from '../../errors.ts'
import { route } from '../route.ts'
import { id, listOf } from '../schemas.ts'
import { checkRead, enterableSpaces, enterSpace } from '../scope.ts'

const passage = z.object({
  space_id: id.optional(),
  entity_type: z.string(),
  entity_id: id,
  title: z.string(),
  heading_path: z.array(z.string()),
  ordinal: z.int(),
  text: z.string(),
  score: z.number(),
  start_line: z.int(),
  end_line: z.int(),
})

export const searchRoutes = [
  route({
    method: 'get',
    path: '/api/search',
    access: 'agent',
    summary: 'Find the best passages in one Space, or in all that the caller may enter',
    query: z.object({
      q: z.string().max(2000).describe('Plain words or keywords; an exact phrase in double quotes'),
      space_id: id.optional(),
      kinds: z.string().optional().describe('Kinds, separated by commas'),
      limit: z.coerce.number().int().min(1).max(50).default(10),
    }),
    answers: { 200: listOf(passage) },
    async handle(deps, { actor, query: { q, space_id, kinds, limit } }) {
      checkRead(actor, 'space')
      const space_ids = space_id
        ? [(await enterSpace(deps, actor, space_id)).id]
        : await enterableSpaces(deps, actor)
      const types = kinds?.split(',').filter(Boolean)
      const unknown = types?.find((type) => !deps.kinds.find(type))
      if (unknown) throw invalid(`kinds: there is no kind ${unknown}.`)
      const found = await deps.search.query({ space_ids, q, kinds: types, limit })
      const ids = [...new Set(found.map(({ entity_id }) => entity_id))]
      const spaces = ids.length > 0 ? await spacesOfEntities(deps.database, space_ids, ids) : new Map()
      const items = found.map((hit) => ({ ...hit, space_id: spaces.get(hit.entity_id) }))
      return { body: { items, next_cursor: null } }
    },
  }),
]

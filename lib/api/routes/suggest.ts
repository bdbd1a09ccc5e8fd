import { z } from 'zod'
import { id } from '../../contract/scalars.ts'
import { Suggestion } from '../../contract/space/search.ts'
import { maxQuestionLength } from '../../search/question.ts'
import { suggestTitles } from '../../search/suggest.ts'
import { flag } from '../params.ts'
import { route } from '../route.ts'
import { checkRead, resolveSpaces } from '../scope.ts'

export const suggestRoutes = [
  route({
    method: 'get',
    path: '/api/suggest',
    access: 'agent',
    summary: 'Titles with words that begin as those typed do; without words, what changed last',
    query: z.object({
      q: z.string().max(maxQuestionLength).default(''),
      space_id: id.optional(),
      aliases: flag.describe('Also by the other names that front matter gives'),
      limit: z.coerce.number().int().min(1).max(30).default(8),
    }),
    answers: { 200: z.object({ items: z.array(Suggestion) }) },
    async handle(deps, { actor, query: { q, space_id, aliases, limit } }) {
      checkRead(actor, 'space')
      const space_ids = await resolveSpaces(deps, actor, space_id)
      const items = await suggestTitles(deps.database, deps.kinds, { space_ids, q, aliases, limit })
      return { body: { items } }
    },
  }),
]

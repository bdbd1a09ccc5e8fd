import { z } from 'zod'
import { createTitlesRepo } from '../../db/repos/titles.ts'
import { route } from '../route.ts'
import { flag, id } from '../schemas.ts'
import { checkRead, enterableSpaces, enterSpace } from '../scope.ts'

/** Words of a question that are looked at. */
const mostWords = 8

const suggestion = z.object({
  space_id: id,
  entity_type: z.string(),
  entity_id: id,
  title: z.string(),
  alias: z.string().optional().describe('Another name of it, when that is what answered'),
  updated_at: z.iso.datetime(),
})

export const suggestRoutes = [
  route({
    method: 'get',
    path: '/api/suggest',
    access: 'agent',
    summary: 'Titles with words that begin as those typed do; without words, what changed last',
    query: z.object({
      q: z.string().max(500).default(''),
      space_id: id.optional(),
      aliases: flag.describe('Also by the other names that front matter gives'),
      limit: z.coerce.number().int().min(1).max(30).default(8),
    }),
    answers: { 200: z.object({ items: z.array(suggestion) }) },
    async handle(deps, { actor, query: { q, space_id, aliases, limit } }) {
      checkRead(actor, 'space')
      const space_ids = space_id
        ? [(await enterSpace(deps, actor, space_id)).id]
        : await enterableSpaces(deps, actor)
      const titles = createTitlesRepo(deps.database)
      const words = (q.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, mostWords)
      const items =
        words.length === 0
          ? q.trim() === ''
            ? await titles.recent(deps.kinds.all, { space_ids, limit })
            : []
          : await titles.suggest(deps.kinds.all, { space_ids, words, limit })
      if (aliases && words.length > 0 && items.length < limit) {
        const rest = limit - items.length
        items.push(...(await titles.suggestAliases(deps.kinds.all, { space_ids, words, limit: rest })))
      }
      return { body: { items } }
    },
  }),
]

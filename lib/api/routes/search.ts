import { z } from 'zod'
import type { Actor } from '../../auth/actor.ts'
import { spacesOfEntities } from '../../db/repos/chunks.ts'
import type { Kinds } from '../../entities/kinds.ts'
import { forbidden, invalid } from '../../errors.ts'
import { mostResults } from '../../search/take-page.ts'
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
  snippet: z.array(z.object({ text: z.string(), marked: z.boolean() })),
  cite: z.string(),
  score: z.number(),
  start_line: z.int(),
  end_line: z.int(),
})

const names = z.string().transform((text) => text.split(',').filter(Boolean))
const time = z.union([z.iso.date(), z.iso.datetime({ offset: true })])

export const searchRoutes = [
  route({
    method: 'get',
    path: '/api/search',
    access: 'agent',
    summary: 'Find the best passages in one Space, or in all that the caller may enter',
    query: z.object({
      q: z.string().max(2000).describe('Plain words or keywords; an exact phrase in double quotes'),
      space_id: id.optional(),
      kinds: names
        .optional()
        .describe('Kinds, separated by commas; conversation is one, for the owner; all of them'),
      status: names.optional().describe('Only of these statuses, separated by commas'),
      changed_after: time.optional().describe('Last changed on this day or at this time, or later'),
      changed_before: time.optional().describe('Last changed before this day or time'),
      typing: z.enum(['true', 'false']).optional().describe('Whether the last word may be unfinished'),
      snippet: z.coerce.number().int().min(40).max(1000).default(260).describe('Characters of a snippet'),
      limit: z.coerce.number().int().min(1).max(50).default(10),
      cursor: z.coerce
        .number()
        .int()
        .min(1)
        .max(mostResults)
        .optional()
        .describe('The next_cursor of the page before, which had the same limit'),
    }),
    answers: { 200: listOf(passage) },
    async handle(deps, { actor, query }) {
      checkRead(actor, 'space')
      const { q, space_id, changed_after, changed_before, typing, snippet, limit, cursor: offset = 0 } = query
      const space_ids = space_id
        ? [(await enterSpace(deps, actor, space_id)).id]
        : await enterableSpaces(deps, actor)
      const kinds = searchedKinds(deps.kinds, actor, query.kinds)
      const statuses = query.status?.length ? query.status : undefined
      const asked = { space_ids, q, kinds, statuses, changed_after, changed_before, offset }
      const answer = await deps.search.show(
        { ...asked, limit: limit + 1, typing: typing === 'true' },
        snippet,
      )
      const found = answer.slice(0, limit)
      const ids = [...new Set(found.map(({ entity_id }) => entity_id))]
      const spaces = ids.length > 0 ? await spacesOfEntities(deps.database, space_ids, ids) : new Map()
      const items = found.map((hit) => ({ ...hit, space_id: spaces.get(hit.entity_id) }))
      return { body: { items, next_cursor: answer.length > limit ? String(offset + limit) : null } }
    },
  }),
]

/** What was said to the companion is for the owner; an agent searches everything else. */
function searchedKinds(kinds: Kinds, actor: Actor, asked: string[] | undefined): string[] | undefined {
  const unknown = asked?.find((type) => type !== 'conversation' && !kinds.find(type))
  if (unknown) throw invalid(`kinds: there is no kind ${unknown}.`)
  if (actor.kind !== 'agent') return asked
  if (asked?.includes('conversation')) throw forbidden('Conversations are for the owner.')
  return asked ?? kinds.all.map(({ type }) => type)
}

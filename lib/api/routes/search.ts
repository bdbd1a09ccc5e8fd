import { z } from 'zod'
import { ownTypes } from '../../ai/agent/sources.ts'
import { resolveTextLinks } from '../../content/links/text-links.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import { Link } from '../../contract/entities.ts'
import { id } from '../../contract/scalars.ts'
import { SearchPage, Suggestion } from '../../contract/space/search.ts'
import type { Actor } from '../../core/actor.ts'
import { forbidden, invalid } from '../../core/errors.ts'
import { maxResults } from '../../search/pick-passages.ts'
import { maxQuestionLength } from '../../search/question.ts'
import { suggestTitles } from '../../search/suggest.ts'
import type { Deps } from '../deps.ts'
import { flag, idParams, route } from '../route.ts'
import { checkRead, enterSpace, resolveSpaces } from '../scope.ts'

const names = z.string().transform((text) => text.split(',').filter(Boolean))

const time = z.union([z.iso.date(), z.iso.datetime({ offset: true })])

const SearchRequest = z.object({
  q: z
    .string()
    .max(maxQuestionLength)
    .describe(
      'Plain words or keywords, exact phrases in double quotes. Only the rarest words of a long text are used',
    ),
  space_id: id.optional(),
  kinds: names
    .optional()
    .describe('Comma-separated kinds, including conversation and mail_message (owner only). Default: all'),
  status: names.optional().describe('Comma-separated statuses'),
  changed_after: time.optional().describe('Last changed at or after this day or time'),
  changed_before: time.optional().describe('Last changed before this day or time'),
  typing: z.enum(['true', 'false']).optional().describe('Match the last word as a prefix'),
  snippet: z.coerce
    .number()
    .int()
    .min(40)
    .max(1000)
    .default(260)
    .describe('Maximum snippet length in characters'),
  group: z
    .enum(['passage', 'entity'])
    .default('passage')
    .describe('passage: several passages of an entity; entity: each entity once with its best passage'),
  per_entity: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .default(3)
    .describe('Maximum passages of an entity, with group=passage'),
  limit: z.coerce.number().int().min(1).max(50).default(10),
  cursor: z.coerce
    .number()
    .int()
    .min(1)
    .max(maxResults)
    .optional()
    .describe('next_cursor of the previous page; requires the same limit'),
})

const maxLinkedText = 400_000

export const searchRoutes = [
  route({
    method: 'post',
    path: '/api/spaces/:space_id/text-links',
    access: 'owner',
    summary: 'Find out where the links of a text lead that is stored nowhere, such as those of an answer',
    params: idParams('space_id'),
    body: z.strictObject({ text: z.string().max(maxLinkedText) }),
    answers: { 200: z.object({ items: z.array(Link) }) },
    async handle(deps, { actor, params: { space_id }, body: { text } }) {
      await enterSpace(deps, actor, space_id)
      return { body: { items: await resolveTextLinks(deps.database, deps.kinds, space_id, text) } }
    },
  }),

  route({
    method: 'get',
    path: '/api/search',
    access: 'agent',
    summary: 'Search one Space, or all Spaces the caller can access',
    query: SearchRequest,
    answers: { 200: SearchPage },
    async handle(deps, { actor, query }) {
      return { body: await search(deps, actor, query) }
    },
  }),
  route({
    method: 'post',
    path: '/api/search',
    access: 'agent',
    summary: 'The same search with its parameters in the body, for long questions',
    body: SearchRequest,
    answers: { 200: SearchPage },
    async handle(deps, { actor, body }) {
      return { body: await search(deps, actor, body) }
    },
  }),
]

async function search(deps: Deps, actor: Actor, request: z.infer<typeof SearchRequest>) {
  checkRead(actor, 'space')
  const { q, space_id, changed_after, changed_before, typing, snippet, ...page } = request
  const { group, limit, per_entity, cursor: offset = 0 } = page
  const space_ids = await resolveSpaces(deps, actor, space_id)
  const kinds = searchedKinds(deps.kinds, actor, request.kinds)
  const statuses = request.status?.length ? request.status : undefined
  const filters = { kinds, statuses, changed_after, changed_before }
  const { items, more, missing } = await deps.search.show(
    { space_ids, q, ...filters, group, limit, per_entity, offset, typing: typing === 'true' },
    snippet,
  )
  const next_cursor = more ? String(offset + limit) : null
  return { items, next_cursor, missing }
}

/** What was said to the companion is for the owner; an agent searches everything else. */
function searchedKinds(kinds: Kinds, actor: Actor, asked: string[] | undefined): string[] | undefined {
  const unknown = asked?.find((type) => type !== 'conversation' && !kinds.find(type))
  if (unknown) throw invalid(`kinds: unknown kind ${unknown}.`)
  if (actor.kind !== 'agent') return asked
  if (asked?.some((type) => ownTypes.includes(type))) {
    throw forbidden('Only the owner can search conversations and mail.')
  }
  return asked ?? kinds.all.map(({ type }) => type)
}

export const suggestRoutes = [
  route({
    method: 'get',
    path: '/api/suggest',
    access: 'agent',
    summary: 'Suggest titles by word prefixes; without a query, the most recently changed',
    query: z.object({
      q: z.string().max(maxQuestionLength).default(''),
      space_id: id.optional(),
      aliases: flag.describe('Also match aliases from front matter'),
      limit: z.coerce.number().int().min(1).max(30).default(8),
    }),
    answers: { 200: z.object({ items: z.array(Suggestion) }) },
    async handle(deps, { actor, query: { q, space_id, aliases, limit } }) {
      checkRead(actor, 'space')
      const space_ids = await resolveSpaces(deps, actor, space_id)
      const items = await suggestTitles(deps.database, deps, { space_ids, q, aliases, limit })
      return { body: { items } }
    },
  }),
]

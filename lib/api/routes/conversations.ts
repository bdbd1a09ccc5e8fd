import { z } from 'zod'
import { type ConversationRow, createConversationsRepo } from '../../db/repos/conversations.ts'
import { notFound } from '../../errors.ts'
import { cleanLine } from '../../text/clean.ts'
import { route } from '../route.ts'
import { id, idParams, listOf } from '../schemas.ts'
import { enterSpace } from '../scope.ts'

const inSpace = idParams('space_id')
const mostListed = 100

const conversation = z.object({
  id,
  space_id: id,
  title: z.string(),
  started_at: z.iso.datetime(),
  last_activity_at: z.iso.datetime(),
})

const toWire = ({ id, space_id, title, started_at, last_activity_at }: ConversationRow) => ({
  id,
  space_id,
  title,
  started_at,
  last_activity_at,
})

export const conversationRoutes = [
  route({
    method: 'get',
    path: '/api/spaces/:space_id/conversations',
    access: 'owner',
    summary: 'List the conversations of a Space, newest activity first',
    params: inSpace,
    query: z.object({ q: z.string().max(200).default('').describe('Words of the title or of a message') }),
    answers: { 200: listOf(conversation) },
    async handle(deps, { actor, params: { space_id }, query: { q } }) {
      await enterSpace(deps, actor, space_id)
      const rows = await createConversationsRepo(deps.database).search(space_id, cleanLine(q), mostListed)
      return { body: { items: rows.map(toWire), next_cursor: null } }
    },
  }),

  route({
    method: 'post',
    path: '/api/spaces/:space_id/conversations',
    access: 'owner',
    summary: 'Begin a conversation, which is then the one in use',
    params: inSpace,
    body: z.strictObject({}).optional(),
    answers: { 201: conversation },
    async handle(deps, { actor, params: { space_id } }) {
      await enterSpace(deps, actor, space_id)
      const { id } = await deps.companion.agent()
      const row = await createConversationsRepo(deps.database).insert(space_id, id, actor)
      return { status: 201, body: toWire(row) }
    },
  }),

  route({
    method: 'patch',
    path: '/api/spaces/:space_id/conversations/:id',
    access: 'owner',
    summary: 'Rename a conversation, or make it the one in use',
    params: idParams('space_id', 'id'),
    body: z.strictObject({
      title: z.string().overwrite(cleanLine).min(1).max(200).optional(),
      in_use: z.literal(true).optional(),
    }),
    answers: { 200: conversation },
    async handle(deps, { actor, params: { space_id, id }, body: { title, in_use } }) {
      await enterSpace(deps, actor, space_id)
      const conversations = createConversationsRepo(deps.database)
      if (title !== undefined) await conversations.rename(space_id, id, title)
      if (in_use) await conversations.bringForward(space_id, id)
      const row = await conversations.find(space_id, id)
      if (!row) throw notFound('conversation', id)
      return { body: toWire(row) }
    },
  }),
]

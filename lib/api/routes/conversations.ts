import { z } from 'zod'
import { type ConversationRow, createConversationsRepo } from '../../db/repos/conversations.ts'
import { notFound } from '../../errors.ts'
import { cleanLine } from '../../text/clean.ts'
import type { Deps } from '../deps.ts'
import { route } from '../route.ts'
import { id, idParams, listOf } from '../schemas.ts'
import { enterSpace } from '../scope.ts'

const inSpace = idParams('space_id')
const oneInSpace = idParams('space_id', 'id')
type ConversationState = ConversationRow['status'] | 'deleted'

const mostListed = 100

export const conversation = z.object({
  id,
  space_id: id,
  title: z.string(),
  summary: z.string(),
  status: z.enum(['active', 'archived']),
  started_at: z.iso.datetime(),
  last_activity_at: z.iso.datetime(),
})

export const toWire = ({
  id,
  space_id,
  title,
  summary,
  status,
  started_at,
  last_activity_at,
}: ConversationRow) => ({
  id,
  space_id,
  title,
  summary,
  status,
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
    query: z.object({
      q: z.string().max(200).default('').describe('Words of the title, the summary or a message'),
      status: z
        .enum(['current', 'active', 'archived', 'deleted'])
        .default('current')
        .describe('Which ones; `current` are all but the deleted'),
    }),
    answers: { 200: listOf(conversation) },
    async handle(deps, { actor, params: { space_id }, query: { q, status } }) {
      await enterSpace(deps, actor, space_id)
      const search = { words: cleanLine(q), filter: status, limit: mostListed }
      const rows = await createConversationsRepo(deps.database).search(space_id, search)
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
      const row = await createConversationsRepo(deps.database).insertChosen(space_id, id, actor)
      return { status: 201, body: toWire(row) }
    },
  }),

  route({
    method: 'get',
    path: '/api/spaces/:space_id/conversations/:id',
    access: 'owner',
    summary: 'Read the title, the summary and the state of a conversation',
    params: oneInSpace,
    answers: { 200: conversation },
    async handle(deps, { actor, params: { space_id, id } }) {
      await enterSpace(deps, actor, space_id)
      return { body: toWire(found(await createConversationsRepo(deps.database).find(space_id, id), id)) }
    },
  }),

  route({
    method: 'patch',
    path: '/api/spaces/:space_id/conversations/:id',
    access: 'owner',
    summary: 'Rename a conversation, archive it or take it back, or make it the one in use',
    params: oneInSpace,
    body: z.strictObject({
      title: z.string().overwrite(cleanLine).min(1).max(200).optional(),
      archived: z.boolean().optional(),
      in_use: z.literal(true).optional(),
    }),
    answers: { 200: conversation },
    async handle(deps, { actor, params: { space_id, id }, body: { title, archived, in_use } }) {
      await enterSpace(deps, actor, space_id)
      const conversations = createConversationsRepo(deps.database)
      if (title !== undefined) await conversations.rename(space_id, id, title)
      if (archived !== undefined) await conversations.setArchived(space_id, id, archived)
      if (in_use) await conversations.bringForward(space_id, id)
      const row = found(await conversations.find(space_id, id), id)
      tell(deps, row, row.status)
      return { body: toWire(row) }
    },
  }),

  route({
    method: 'delete',
    path: '/api/spaces/:space_id/conversations/:id',
    access: 'owner',
    summary:
      'Delete a conversation and stop what runs in it; it can be restored, and its drafts stay in the Inbox',
    params: oneInSpace,
    answers: { 200: conversation },
    async handle(deps, { actor, params: { space_id, id } }) {
      await enterSpace(deps, actor, space_id)
      const row = found(await createConversationsRepo(deps.database).remove(space_id, id), id)
      await deps.companion.endAll(id)
      tell(deps, row, 'deleted')
      return { body: toWire(row) }
    },
  }),

  route({
    method: 'post',
    path: '/api/spaces/:space_id/conversations/:id/restore',
    access: 'owner',
    summary: 'Bring a deleted conversation back',
    params: oneInSpace,
    answers: { 200: conversation },
    async handle(deps, { actor, params: { space_id, id } }) {
      await enterSpace(deps, actor, space_id)
      const row = found(await createConversationsRepo(deps.database).restore(space_id, id), id)
      tell(deps, row, row.status)
      return { body: toWire(row) }
    },
  }),
]

function found(row: ConversationRow | null, id: string): ConversationRow {
  if (!row) throw notFound('conversation', id)
  return row
}

function tell({ live }: Deps, { id, space_id }: ConversationRow, state: ConversationState): void {
  live.publish({ type: 'conversation', data: { id, space_id, state } })
}

import { z } from 'zod'
import { Conversation } from '../../contract/companion/companion.ts'
import { listOf } from '../../contract/list.ts'
import { modelName } from '../../contract/model.ts'
import { id } from '../../contract/scalars.ts'
import { cleanLine } from '../../core/text/clean.ts'
import { idParams } from '../params.ts'
import { route } from '../route.ts'
import { enterSpace } from '../scope.ts'

const inSpace = idParams('space_id')
const oneInSpace = idParams('space_id', 'id')
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
    answers: { 200: listOf(Conversation) },
    async handle(deps, { actor, params: { space_id }, query: { q, status } }) {
      await enterSpace(deps, actor, space_id)
      const items = await deps.content.conversations.search(space_id, q, status)
      return { body: { items, next_cursor: null } }
    },
  }),

  route({
    method: 'post',
    path: '/api/spaces/:space_id/conversations',
    access: 'owner',
    summary: 'Start a conversation and make it the current one',
    params: inSpace,
    body: z
      .strictObject({ agent_id: id.optional().describe('The companion; left out: the one used last') })
      .optional(),
    answers: { 201: Conversation },
    async handle(deps, { actor, params: { space_id }, body }) {
      await enterSpace(deps, actor, space_id)
      const agentId = body?.agent_id ?? null
      return { status: 201, body: await deps.content.conversations.create(space_id, actor, agentId) }
    },
  }),

  route({
    method: 'get',
    path: '/api/spaces/:space_id/conversations/:id',
    access: 'owner',
    summary: 'Read the title, the summary and the state of a conversation',
    params: oneInSpace,
    answers: { 200: Conversation },
    async handle(deps, { actor, params: { space_id, id } }) {
      await enterSpace(deps, actor, space_id)
      return { body: await deps.content.conversations.find(space_id, id) }
    },
  }),

  route({
    method: 'patch',
    path: '/api/spaces/:space_id/conversations/:id',
    access: 'owner',
    summary: 'Rename, archive, unarchive or select a conversation, or choose its model',
    params: oneInSpace,
    body: z.strictObject({
      title: z.string().overwrite(cleanLine).min(1).max(200).optional(),
      archived: z.boolean().optional(),
      model: modelName
        .nullable()
        .optional()
        .describe('The model that answers in it; null: that of its companion'),
      in_use: z.literal(true).optional(),
    }),
    answers: { 200: Conversation },
    async handle(deps, { actor, params: { space_id, id }, body }) {
      await enterSpace(deps, actor, space_id)
      return { body: await deps.content.conversations.update(space_id, id, body) }
    },
  }),

  route({
    method: 'delete',
    path: '/api/spaces/:space_id/conversations/:id',
    access: 'owner',
    summary:
      'Delete a conversation and stop what runs in it; it can be restored, and its drafts stay in the Inbox',
    params: oneInSpace,
    answers: { 200: Conversation },
    async handle(deps, { actor, params: { space_id, id } }) {
      await enterSpace(deps, actor, space_id)
      return { body: await deps.content.conversations.remove(space_id, id) }
    },
  }),

  route({
    method: 'post',
    path: '/api/spaces/:space_id/conversations/:id/restore',
    access: 'owner',
    summary: 'Restore a deleted conversation',
    params: oneInSpace,
    answers: { 200: Conversation },
    async handle(deps, { actor, params: { space_id, id } }) {
      await enterSpace(deps, actor, space_id)
      return { body: await deps.content.conversations.restore(space_id, id) }
    },
  }),
]

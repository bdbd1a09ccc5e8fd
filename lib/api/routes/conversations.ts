import { z } from 'zod'
import { exportThread, saveAnswer } from '../../companion/cited-answers.ts'
import { Conversation } from '../../contract/companion/companion.ts'
import { PendingOpening } from '../../contract/companion/open-desk.ts'
import { RoutingDecision, RoutingUndone } from '../../contract/companion/turns.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import { rowOf } from '../../contract/entities.ts'
import { listOf } from '../../contract/list.ts'
import { modelName } from '../../contract/model.ts'
import { id } from '../../contract/scalars.ts'
import { notFound } from '../../core/errors.ts'
import { cleanLine } from '../../core/text/clean.ts'
import { sendDownload } from '../download.ts'
import { idParams, ownAddress, page, pageQuery, type Route, route } from '../route.ts'
import { enterSpace, resolveSpaces } from '../scope.ts'

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
      q: z.string().max(200).default('').describe('Words in the title, summary or a message'),
      status: z
        .enum(['current', 'active', 'archived', 'deleted'])
        .default('current')
        .describe('`current`: all but deleted ones'),
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
      .strictObject({ agent_id: id.optional().describe('Companion. Default: the most recently used') })
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
    summary: 'Get the title, summary and state of a conversation',
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
    summary: 'Update a conversation: title, archived state, current conversation, model',
    params: oneInSpace,
    body: z.strictObject({
      title: z.string().overwrite(cleanLine).min(1).max(200).optional(),
      archived: z.boolean().optional(),
      model: modelName
        .nullable()
        .optional()
        .describe('Model that answers in it; null: the model of its companion'),
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
      'Delete a conversation and stop its running turn; it can be restored, and its drafts stay in the Inbox',
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

/** What can be taken out of a conversation. */
export const messageRoutes = (kinds: Kinds): Route[] => [
  route({
    method: 'get',
    path: '/api/spaces/:space_id/conversations/:id/export.md',
    access: 'owner',
    summary:
      'Export a conversation as Markdown, with citations as links, sources below each answer and a count of tool calls',
    params: idParams('space_id', 'id'),
    answers: { 200: 'The file' },
    mediaType: 'text/markdown',
    async handle(deps, { actor, req, res, params: { space_id, id } }) {
      const { slug } = await enterSpace(deps, actor, space_id)
      const { database } = deps
      const conversation = await deps.content.conversations.find(space_id, id)
      const origin = ownAddress(req, deps.server.publicUrl)
      const file = { type: 'text/markdown; charset=utf-8', name: fileName(conversation.title) }
      await sendDownload(res, file, exportThread({ database, kinds, conversation, slug, origin }))
      return undefined
    },
  }),

  route({
    method: 'post',
    path: '/api/messages/:id/page',
    access: 'owner',
    summary: 'Save an answer as a page, with its citations as links and a link to the answer',
    params: idParams('id'),
    body: z
      .strictObject({
        title: z
          .string()
          .overwrite(cleanLine)
          .min(1)
          .max(500)
          .optional()
          .describe('Default: the first words of the question'),
      })
      .optional(),
    answers: { 201: rowOf(kinds.get('page')) },
    async handle({ database, content: { writer } }, { actor, params: { id }, body }) {
      const saved = { actor, messageId: id, title: body?.title }
      return { status: 201, body: await saveAnswer({ database, kinds, writer }, saved) }
    },
  }),
]

/** In letters that every header and every disk takes. */
function fileName(title: string): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return `${words.join('-').slice(0, 60) || 'thread'}.md`
}

export const routingDecisionRoutes = [
  route({
    method: 'get',
    path: '/api/routing-decisions',
    access: 'owner',
    summary: 'List routing decisions with their inputs, newest first',
    query: pageQuery.extend({ space_id: id.optional() }),
    answers: { 200: listOf(RoutingDecision) },
    async handle(deps, { actor, query: { space_id, cursor, limit } }) {
      const space_ids = await resolveSpaces(deps, actor, space_id)
      const filter = { space_ids, before: cursor ?? null, limit: limit + 1 }
      const rows = await deps.repos.routingDecisions.list(filter)
      return { body: page(rows, limit) }
    },
  }),

  route({
    method: 'post',
    path: '/api/routing-decisions/:id/undo',
    access: 'owner',
    summary: 'Move a routed message and its answer to another conversation, or to a new one',
    params: idParams('id'),
    body: z
      .strictObject({
        to: z
          .union([z.literal('new'), id])
          .optional()
          .describe(
            'Default: a new conversation if the router continued one, otherwise the conversation that was current',
          ),
      })
      .optional(),
    answers: { 200: RoutingUndone },
    async handle({ content: { conversations } }, { actor, params, body }) {
      return { body: await conversations.undoRouting(actor, params.id, body?.to ?? null) }
    },
  }),
]

const maxListed = 20

export const openingRoutes = [
  route({
    method: 'get',
    path: '/api/openings',
    access: 'owner',
    summary: 'List unopened drafts from channels without a screen, latest first',
    answers: { 200: z.object({ items: z.array(PendingOpening) }) },
    handle: async ({ repos }) => ({ body: { items: await repos.pendingOpenings.list(maxListed) } }),
  }),

  route({
    method: 'post',
    path: '/api/openings/:id/take',
    access: 'owner',
    summary: 'Claim an opening; only one browser can',
    params: idParams('id'),
    body: z.strictObject({}),
    answers: { 200: PendingOpening },
    async handle({ repos }, { params: { id } }) {
      const opening = await repos.pendingOpenings.take(id)
      if (!opening) throw notFound('opening', id)
      return { body: opening }
    },
  }),
]

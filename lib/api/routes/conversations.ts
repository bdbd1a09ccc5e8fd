import { z } from 'zod'
import { Conversation } from '../../contract/companion/companion.ts'
import { PendingOpening } from '../../contract/companion/open-desk.ts'
import { RoutingDecision, RoutingUndone } from '../../contract/companion/turns.ts'
import { listOf } from '../../contract/list.ts'
import { modelName } from '../../contract/model.ts'
import { ResearchLabels } from '../../contract/research.ts'
import { id } from '../../contract/scalars.ts'
import { notFound } from '../../core/errors.ts'
import { cleanLine } from '../../core/text/clean.ts'
import { flag, idParams, page, pageQuery, route } from '../route.ts'
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
      label: z.string().overwrite(cleanLine).max(50).default('').describe('Only those with this label'),
      flagged: flag.describe('Only flagged ones'),
    }),
    answers: { 200: listOf(Conversation) },
    async handle(deps, { actor, params: { space_id }, query: { q, ...filter } }) {
      await enterSpace(deps, actor, space_id)
      const items = await deps.content.conversations.search(space_id, q, filter)
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
    summary: 'Update a conversation: title, labels, flag, archived state, current conversation, model',
    params: oneInSpace,
    body: z.strictObject({
      title: z
        .string()
        .overwrite(cleanLine)
        .min(1)
        .max(200)
        .nullable()
        .optional()
        .describe('null: the companion titles it again'),
      labels: ResearchLabels.optional().describe('Replaces all labels'),
      flagged: z.boolean().optional(),
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

import { z } from 'zod'
import { RoutingDecision, RoutingUndone } from '../../contract/companion/turns.ts'
import { listOf } from '../../contract/list.ts'
import { id } from '../../contract/scalars.ts'
import { idParams, page, pageQuery } from '../params.ts'
import { route } from '../route.ts'
import { resolveSpaces } from '../scope.ts'

export const routingDecisionRoutes = [
  route({
    method: 'get',
    path: '/api/routing-decisions',
    access: 'owner',
    summary: 'Routing decisions, newest first, with their inputs',
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
            'Left out: back to the conversation that was in use, or a new one for what went on there',
          ),
      })
      .optional(),
    answers: { 200: RoutingUndone },
    async handle({ content: { conversations } }, { actor, params, body }) {
      return { body: await conversations.undoRouting(actor, params.id, body?.to ?? null) }
    },
  }),
]

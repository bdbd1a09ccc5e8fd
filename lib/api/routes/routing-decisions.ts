import { z } from 'zod'
import { undoRouting } from '../../companion/router/undo-routing.ts'
import { createRoutingDecisionsRepo } from '../../db/repos/routing_decisions.ts'
import { route } from '../route.ts'
import { id, idParams, listOf, page, pageQuery } from '../schemas.ts'
import { enterableSpaces, enterSpace } from '../scope.ts'
import { conversation, toWire } from './conversations.ts'

const decision = z.object({
  id,
  space_id: id,
  turn_id: id,
  conversation_id: id.describe('The conversation that was chosen'),
  active_id: id.nullable().describe('The one that was in use'),
  choice: z.enum(['continue', 'resume', 'new']),
  decided_by: z.enum(['obvious', 'model', 'rules', 'fallback']),
  reason: z.string(),
  known: z.unknown().describe('What the router knew'),
  model: z.string().nullable(),
  answer: z.string().nullable().describe('The model’s own words'),
  duration_ms: z.int(),
  created_at: z.iso.datetime(),
  undone_at: z.iso.datetime().nullable(),
  undone_to: id.nullable(),
})

export const routingDecisionRoutes = [
  route({
    method: 'get',
    path: '/api/routing-decisions',
    access: 'owner',
    summary: 'What the router decided, newest first, each with what it knew',
    query: pageQuery.extend({ space_id: id.optional() }),
    answers: { 200: listOf(decision) },
    async handle(deps, { actor, query: { space_id, cursor, limit } }) {
      const space_ids = space_id
        ? [(await enterSpace(deps, actor, space_id)).id]
        : await enterableSpaces(deps, actor)
      const filter = { space_ids, before: cursor ?? null, limit: limit + 1 }
      const rows = await createRoutingDecisionsRepo(deps.database).list(filter)
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
    answers: {
      200: z.object({ decision, conversation, from: id.describe('The conversation that it was in') }),
    },
    async handle({ database, live }, { actor, params, body }) {
      const undone = await undoRouting(database, { actor, id: params.id, to: body?.to ?? null })
      const { space_id } = undone.conversation
      const tell = (changed: string, state: 'active' | 'deleted') =>
        live.publish({ type: 'conversation', data: { id: changed, space_id, state } })
      tell(undone.conversation.id, 'active')
      if (undone.from !== undone.conversation.id) tell(undone.from, undone.emptied ? 'deleted' : 'active')
      const { decision: row, conversation: target, from } = undone
      return { body: { decision: row, conversation: toWire(target), from } }
    },
  }),
]

import { z } from 'zod'
import {
  NewRoutine,
  Routine,
  RoutineChange,
  RoutineRun,
  StartedRoutine,
} from '../../contract/companion/routines.ts'
import { listOf } from '../../contract/list.ts'
import { idParams, page, pageQuery, route } from '../route.ts'
import { enterSpace } from '../scope.ts'

const inSpace = idParams('space_id')
const byId = idParams('id')

export const routineRoutes = [
  route({
    method: 'get',
    path: '/api/spaces/:space_id/routines',
    access: 'owner',
    summary: 'List the routines of a Space, newest first',
    params: inSpace,
    query: pageQuery,
    answers: { 200: listOf(Routine) },
    async handle(deps, { actor, params, query: { cursor: before_id = null, limit } }) {
      const { id } = await enterSpace(deps, actor, params.space_id)
      return { body: page(await deps.routines.list(id, { before_id, limit: limit + 1 }), limit) }
    },
  }),

  route({
    method: 'post',
    path: '/api/spaces/:space_id/routines',
    access: 'owner',
    summary: 'Create a routine: an instruction that a companion follows on a schedule or after an event',
    params: inSpace,
    body: NewRoutine,
    answers: { 201: Routine },
    async handle(deps, { actor, params, body }) {
      const { id } = await enterSpace(deps, actor, params.space_id)
      return { status: 201, body: await deps.routines.create(id, body) }
    },
  }),

  route({
    method: 'patch',
    path: '/api/routines/:id',
    access: 'owner',
    summary: 'Update a routine, or switch it on or off',
    params: byId,
    body: RoutineChange,
    answers: { 200: Routine },
    handle: async ({ routines }, { params, body }) => ({ body: await routines.change(params.id, body) }),
  }),

  route({
    method: 'delete',
    path: '/api/routines/:id',
    access: 'owner',
    summary: 'Delete a routine; its thread and drafts stay',
    params: byId,
    answers: { 204: 'Deleted' },
    async handle({ routines }, { params }) {
      await routines.remove(params.id)
      return { status: 204 }
    },
  }),

  route({
    method: 'post',
    path: '/api/routines/:id/run',
    access: 'owner',
    summary: 'Run a routine now; a run that is under way is returned',
    params: byId,
    body: z.strictObject({
      dry_run: z.boolean().default(false).describe('Store no drafts; the answer says what they would be'),
    }),
    answers: { 202: StartedRoutine },
    async handle({ routines }, { params, body }) {
      const { id: turn_id, conversation_id } = await routines.run(params.id, { dry: body.dry_run })
      return { status: 202, body: { turn_id, conversation_id } }
    },
  }),

  route({
    method: 'get',
    path: '/api/routines/:id/runs',
    access: 'owner',
    summary: 'List the runs of a routine, latest first',
    params: byId,
    query: pageQuery,
    answers: { 200: listOf(RoutineRun) },
    async handle({ routines }, { params, query: { cursor: before_id = null, limit } }) {
      return { body: page(await routines.runs(params.id, { before_id, limit: limit + 1 }), limit) }
    },
  }),
]

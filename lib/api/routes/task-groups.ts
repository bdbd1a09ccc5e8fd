import { z } from 'zod'
import type { TaskStatus } from '../../contract/entities.ts'
import { createTasksRepo } from '../../db/repos/tasks.ts'
import { kind } from '../../entities/task.ts'
import { route } from '../route.ts'
import { flag, id, idParams, rowOf } from '../schemas.ts'
import { checkRead, enterSpace } from '../scope.ts'

const statuses = ['open', 'in_progress', 'done', 'cancelled'] as const satisfies readonly TaskStatus[]

export const taskGroupRoutes = [
  route({
    method: 'get',
    path: '/api/spaces/:space_id/task-groups',
    access: 'agent',
    summary: 'The tasks of a Space by status, with counts: what a list or a board of them shows',
    params: idParams('space_id'),
    query: z.object({
      project_id: id.optional(),
      priority: z.enum(['low', 'normal', 'high', 'urgent']).optional(),
      due_from: z.iso.date().optional(),
      due_to: z.iso.date().optional(),
      undated: flag.describe('Only those without a due date'),
      active: z.coerce
        .number()
        .int()
        .min(1)
        .max(5000)
        .default(500)
        .describe('How many of each that are still to do'),
      closed: z.coerce.number().int().min(0).max(500).default(20).describe('How many of each that are over'),
    }),
    answers: {
      200: z.object({
        groups: z.array(
          z.object({
            status: z.enum(statuses),
            count: z.int(),
            items: z.array(rowOf(kind).omit({ body: true })),
          }),
        ),
      }),
    },
    async handle(deps, { actor, params: { space_id }, query: { active, closed, ...query } }) {
      checkRead(actor, 'task')
      await enterSpace(deps, actor, space_id)
      const tasks = createTasksRepo(deps.database)
      const { project_id = null, priority = null, due_from = null, due_to = null, undated } = query
      const filter = { space_id, project_id, priority, due_from, due_to, undated }
      const counts = await tasks.countByStatus(filter)
      const groups = []
      for (const status of statuses) {
        const limit = status === 'open' || status === 'in_progress' ? active : closed
        const items = counts.has(status) ? await tasks.listByStatus(filter, status, limit) : []
        groups.push({ status, count: counts.get(status) ?? 0, items })
      }
      return { body: { groups } }
    },
  }),
]

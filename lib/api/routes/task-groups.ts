import { z } from 'zod'
import { Task } from '../../contract/entities.ts'
import { id } from '../../contract/scalars.ts'
import { TaskGroups } from '../../contract/space/home.ts'
import { groupTasks } from '../../space/overview.ts'
import { flag, idParams } from '../params.ts'
import { route } from '../route.ts'
import { checkRead, enterSpace } from '../scope.ts'

export const taskGroupRoutes = [
  route({
    method: 'get',
    path: '/api/spaces/:space_id/task-groups',
    access: 'agent',
    summary: 'The tasks of a Space by status, with counts: what a list or a board of them shows',
    params: idParams('space_id'),
    query: z.object({
      project_id: id.optional(),
      priority: Task.shape.priority.optional(),
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
    answers: { 200: TaskGroups },
    async handle(deps, { actor, params: { space_id }, query: { active, closed, ...query } }) {
      checkRead(actor, 'task')
      await enterSpace(deps, actor, space_id)
      const { project_id = null, priority = null, due_from = null, due_to = null, undated } = query
      const filter = { space_id, project_id, priority, due_from, due_to, undated }
      return { body: await groupTasks(deps.database, filter, { active, closed }) }
    },
  }),
]

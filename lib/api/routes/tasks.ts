import { z } from 'zod'
import { Task } from '../../contract/entities.ts'
import { id } from '../../contract/scalars.ts'
import { Reminders, TaskGroups, Today } from '../../contract/space/home.ts'
import { groupTasks, loadReminders, loadToday } from '../../space/overview.ts'
import { flag, idParams, route } from '../route.ts'
import { checkRead, enterSpace, resolveSpaces } from '../scope.ts'

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

export const todayRoutes = [
  route({
    method: 'get',
    path: '/api/today',
    access: 'owner',
    summary: 'What is due or overdue on a day, in all Spaces',
    query: z.object({ day: z.iso.date().describe('Where you are') }),
    answers: { 200: Today },
    async handle(deps, { actor, query: { day } }) {
      const spaces = await resolveSpaces(deps, actor, undefined)
      return { body: await loadToday(deps.database, spaces, day) }
    },
  }),

  route({
    method: 'get',
    path: '/api/reminders',
    access: 'owner',
    summary: 'Tasks whose reminder has come, in all Spaces, and when the next one comes',
    answers: { 200: Reminders },
    async handle(deps, { actor }) {
      const spaces = await resolveSpaces(deps, actor, undefined)
      return { body: await loadReminders(deps.database, spaces, deps.server.now()) }
    },
  }),
]

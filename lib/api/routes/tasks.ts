import { z } from 'zod'
import { Task } from '../../contract/entities.ts'
import { id } from '../../contract/scalars.ts'
import { Reminders, TaskGroups, Today } from '../../contract/space/home.ts'
import { today } from '../../core/schedule/calendar.ts'
import { groupTasks, loadReminders, loadToday } from '../../space/overview.ts'
import { flag, idParams, route } from '../route.ts'
import { checkRead, enterSpace, resolveSpaces } from '../scope.ts'

export const taskGroupRoutes = [
  route({
    method: 'get',
    path: '/api/spaces/:space_id/task-groups',
    access: 'agent',
    summary: 'List the tasks of a Space by status, with counts',
    params: idParams('space_id'),
    query: z.object({
      project_id: id.optional(),
      priority: Task.shape.priority.optional(),
      due_from: z.iso.date().optional(),
      due_to: z.iso.date().optional(),
      undated: flag.describe('Only tasks without a due date'),
      active: z.coerce
        .number()
        .int()
        .min(1)
        .max(5000)
        .default(500)
        .describe('Maximum tasks of each open status'),
      closed: z.coerce
        .number()
        .int()
        .min(0)
        .max(500)
        .default(20)
        .describe('Maximum tasks of each closed status'),
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
    summary: 'List tasks due or overdue on a day, in all Spaces',
    query: z.object({ day: z.iso.date().optional().describe('Default: today in the owner’s time zone') }),
    answers: { 200: Today },
    async handle(deps, { actor, query: { day = today(deps.server.ownerZone.calendar) } }) {
      const spaces = await resolveSpaces(deps, actor, undefined)
      return { body: await loadToday(deps.database, spaces, day) }
    },
  }),

  route({
    method: 'get',
    path: '/api/reminders',
    access: 'owner',
    summary: 'List tasks with a due reminder, in all Spaces, and the time of the next reminder',
    answers: { 200: Reminders },
    async handle(deps, { actor }) {
      const spaces = await resolveSpaces(deps, actor, undefined)
      return { body: await loadReminders(deps.database, spaces, deps.server.now()) }
    },
  }),
]

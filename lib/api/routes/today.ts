import { z } from 'zod'
import { Reminders, Today } from '../../contract/space/home.ts'
import { loadReminders, loadToday } from '../../space/overview.ts'
import { route } from '../route.ts'
import { resolveSpaces } from '../scope.ts'

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

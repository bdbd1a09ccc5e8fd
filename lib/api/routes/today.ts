import { z } from 'zod'
import { Today } from '../../contract/space/today.ts'
import { loadToday } from '../../spaces/today.ts'
import { route } from '../route.ts'
import { resolveSpaces } from '../scope.ts'

export const todayRoutes = [
  route({
    method: 'get',
    path: '/api/today',
    fromReplica: true,
    access: 'owner',
    summary: 'What is due or overdue on a day, in all Spaces',
    query: z.object({ day: z.iso.date().describe('Where you are') }),
    answers: { 200: Today },
    async handle(deps, { actor, query: { day } }) {
      const spaces = await resolveSpaces(deps, actor, undefined)
      return { body: await loadToday(deps.database, spaces, day) }
    },
  }),
]

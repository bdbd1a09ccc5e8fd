import { z } from 'zod'
import { createPendingChangesRepo } from '../../db/repos/pending_changes.ts'
import { route } from '../route.ts'

export const inboxRoutes = [
  route({
    method: 'get',
    path: '/api/inbox',
    access: 'owner',
    summary: 'How many drafts wait for the owner, in all Spaces',
    answers: { 200: z.object({ count: z.int() }) },
    async handle({ database }) {
      return { body: { count: await createPendingChangesRepo(database).countPending() } }
    },
  }),
]

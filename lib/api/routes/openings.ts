import { z } from 'zod'
import { PendingOpening } from '../../contract/companion/open-desk.ts'
import { notFound } from '../../core/errors.ts'
import { idParams } from '../params.ts'
import { route } from '../route.ts'

const maxListed = 20

export const openingRoutes = [
  route({
    method: 'get',
    path: '/api/openings',
    access: 'owner',
    summary: 'Drafts made over channels without a screen that no browser has opened yet, the latest first',
    answers: { 200: z.object({ items: z.array(PendingOpening) }) },
    handle: async ({ repos }) => ({ body: { items: await repos.pendingOpenings.list(maxListed) } }),
  }),

  route({
    method: 'post',
    path: '/api/openings/:id/take',
    access: 'owner',
    summary: 'Take an opening, which is there for one browser alone',
    params: idParams('id'),
    body: z.strictObject({}),
    answers: { 200: PendingOpening },
    async handle({ repos }, { params: { id } }) {
      const opening = await repos.pendingOpenings.take(id)
      if (!opening) throw notFound('opening', id)
      return { body: opening }
    },
  }),
]

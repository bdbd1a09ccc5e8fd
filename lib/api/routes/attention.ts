import { measureAttention, recordShown } from '../../changes/attention.ts'
import { Attention } from '../../contract/trust.ts'
import { idParams } from '../params.ts'
import { route } from '../route.ts'

export const attentionRoutes = [
  route({
    method: 'get',
    path: '/api/attention',
    access: 'owner',
    summary: 'Decision statistics: counts, speed and undone approvals',
    answers: { 200: Attention },
    async handle({ database }) {
      return { body: await measureAttention(database) }
    },
  }),

  route({
    method: 'post',
    path: '/api/pending-changes/:id/shown',
    access: 'owner',
    summary: 'Record that a draft is shown to the owner; the first time counts',
    params: idParams('id'),
    answers: { 204: 'Noted' },
    async handle({ database }, { params: { id } }) {
      await recordShown(database, id)
      return { status: 204 }
    },
  }),
]

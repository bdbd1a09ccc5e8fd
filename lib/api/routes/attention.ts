import { z } from 'zod'
import { measureAttention } from '../../attention/measure.ts'
import { createAttentionRepo } from '../../db/repos/attention.ts'
import { createPendingChangesRepo } from '../../db/repos/pending_changes.ts'
import { notFound } from '../../errors.ts'
import { route } from '../route.ts'
import { id, idParams } from '../schemas.ts'

const figures = z.object({
  decisions: z.int(),
  approved: z.int(),
  rejected: z.int(),
  undone: z.int(),
  unseen: z.int().describe('Decided without ever having been shown in Void’s own pages'),
  median_seconds: z.number().nullable().describe('From first being shown to the decision'),
})

const attention = z.object({
  recent: figures.describe('The last thirty decisions'),
  all: figures,
  hasty: z.int().describe('Of the recent ones: approved within two seconds, or unseen'),
  notice: z.boolean(),
  drills: z.object({
    on: z.boolean(),
    approved: z.int(),
    rejected: z.int(),
    latest: z.array(z.object({ pending_change_id: id, decided_at: z.iso.datetime(), approved: z.boolean() })),
  }),
})

export const attentionRoutes = [
  route({
    method: 'get',
    path: '/api/attention',
    access: 'owner',
    summary: 'How the owner decides: how often, how fast, what was taken back, and drills',
    answers: { 200: attention },
    async handle({ database }) {
      return { body: await measureAttention(database) }
    },
  }),

  route({
    method: 'patch',
    path: '/api/attention',
    access: 'owner',
    summary: 'Turn drills on or off',
    body: z.strictObject({ drills: z.boolean() }),
    answers: { 200: attention },
    async handle({ database, drills }, { body }) {
      await drills.set(body.drills)
      return { body: await measureAttention(database) }
    },
  }),

  route({
    method: 'post',
    path: '/api/pending-changes/:id/shown',
    access: 'owner',
    summary: 'Note that a draft is before the owner’s eyes; the first time counts',
    params: idParams('id'),
    answers: { 204: 'Noted' },
    async handle({ database }, { params: { id } }) {
      const change = await createPendingChangesRepo(database).find(id, { space_ids: null, agent_id: null })
      if (!change) throw notFound('pending change', id)
      await createAttentionRepo(database).noteShown(id)
      return { status: 204 }
    },
  }),
]

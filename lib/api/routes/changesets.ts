import { z } from 'zod'
import { loadChangeset } from '../../changes/changesets.ts'
import { notFound } from '../../errors.ts'
import { cleanText } from '../../text/clean.ts'
import { card } from '../card-schema.ts'
import { ownDrafts } from '../own-drafts.ts'
import { preview } from '../preview-schema.ts'
import { route } from '../route.ts'
import { id, idParams, pendingChange } from '../schemas.ts'
import { checkRead } from '../scope.ts'

const params = idParams('id')
const decided = z.object({ items: z.array(pendingChange) })

const need = z.object({
  pending_change_id: id,
  entity_type: z.string(),
  entity_id: id,
  status: pendingChange.shape.status.describe('Met once it is approved'),
  summary: z.string(),
})

export const changesetRoutes = [
  route({
    method: 'get',
    path: '/api/changesets/:id',
    access: 'agent',
    summary: 'The drafts that belong together, each after those it needs, with their cards',
    params,
    answers: {
      200: z.object({
        id,
        space_id: id,
        agent_id: id,
        conversation_id: id.nullable(),
        turn_id: id.nullable(),
        items: z.array(pendingChange.extend({ card, needs: z.array(need) })),
      }),
    },
    async handle({ database, kinds }, { actor, params: { id } }) {
      checkRead(actor, 'pending_change')
      const changeset = await loadChangeset(database, kinds, { id, ...ownDrafts(actor) })
      if (!changeset) throw notFound('changeset', id)
      return { body: changeset }
    },
  }),

  route({
    method: 'post',
    path: '/api/changesets/:id/approve',
    access: 'owner',
    summary: 'Apply every draft of it that waits, or nothing',
    params,
    body: z.strictObject({
      payloads: z.record(id, z.string()).describe('The hash that was looked at, by the id of each draft'),
    }),
    answers: { 200: decided },
    async handle({ changesets }, { actor, params: { id }, body: { payloads } }) {
      return { body: { items: await changesets.approve(actor, id, payloads) } }
    },
  }),

  route({
    method: 'post',
    path: '/api/changesets/:id/reject',
    access: 'owner',
    summary: 'Close every draft of it that waits, without a change',
    params,
    body: z.strictObject({ reason: z.string().overwrite(cleanText).max(2000).optional() }),
    answers: { 200: decided },
    async handle({ changesets }, { actor, params: { id }, body }) {
      return { body: { items: await changesets.reject(actor, id, body) } }
    },
  }),

  route({
    method: 'get',
    path: '/api/changesets/:id/preview',
    access: 'owner',
    summary: 'What approving all of it would lead to; changes nothing',
    params,
    answers: { 200: preview },
    async handle({ previews }, { actor, params: { id } }) {
      return { body: await previews.changeset(actor, id) }
    },
  }),
]

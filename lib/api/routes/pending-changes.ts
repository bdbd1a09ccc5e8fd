import { z } from 'zod'
import type { Actor } from '../../auth/actor.ts'
import { loadCard } from '../../changes/cards.ts'
import { createPendingChangesRepo } from '../../db/repos/pending_changes.ts'
import { notFound } from '../../errors.ts'
import { cleanText } from '../../text/clean.ts'
import { route } from '../route.ts'
import { card, id, idParams, listOf, page, pageQuery, pendingChange } from '../schemas.ts'
import { checkRead, enterSpace, spacesOf } from '../scope.ts'

const params = idParams('id')
const reason = z.string().overwrite(cleanText).max(2000)

/** An agent sees its own drafts and no others. */
const within = (actor: Actor) => ({
  space_ids: spacesOf(actor),
  agent_id: actor.kind === 'agent' ? actor.agent_id : null,
})

export const pendingChangeRoutes = [
  route({
    method: 'get',
    path: '/api/pending-changes',
    access: 'agent',
    summary: 'List drafts, newest first; an agent sees its own',
    query: pageQuery.extend({ status: pendingChange.shape.status.optional(), space_id: id.optional() }),
    answers: { 200: listOf(pendingChange) },
    async handle(deps, { actor, query: { cursor, limit, status, space_id } }) {
      checkRead(actor, 'pending_change')
      if (space_id) await enterSpace(deps, actor, space_id)
      const rows = await createPendingChangesRepo(deps.database).list({
        ...within(actor),
        ...(space_id ? { space_ids: [space_id] } : {}),
        status: status ?? null,
        before_id: cursor ?? null,
        limit: limit + 1,
      })
      return { body: page(rows, limit) }
    },
  }),

  route({
    method: 'get',
    path: '/api/pending-changes/:id',
    access: 'agent',
    summary: 'Read one draft with its card',
    params,
    answers: { 200: pendingChange.extend({ card }) },
    async handle({ database, kinds }, { actor, params: { id } }) {
      checkRead(actor, 'pending_change')
      const change = await createPendingChangesRepo(database).find(id, within(actor))
      if (!change) throw notFound('pending change', id)
      return { body: { ...change, card: await loadCard(database, kinds, change) } }
    },
  }),

  route({
    method: 'post',
    path: '/api/pending-changes/:id/approve',
    access: 'owner',
    summary: 'Apply a draft; with payload_sha256, only if that is what was looked at',
    params,
    body: z.strictObject({ payload_sha256: z.string().optional() }),
    answers: { 200: pendingChange },
    async handle({ decisions }, { actor, params: { id }, body }) {
      return { body: await decisions.approve(actor, id, body) }
    },
  }),

  route({
    method: 'post',
    path: '/api/pending-changes/:id/reject',
    access: 'owner',
    summary: 'Close a draft without a change',
    params,
    body: z.strictObject({ reason: reason.optional() }),
    answers: { 200: pendingChange },
    async handle({ decisions }, { actor, params: { id }, body }) {
      return { body: await decisions.reject(actor, id, body) }
    },
  }),
]

import { z } from 'zod'
import { withCards } from '../../changes/card/load-cards.ts'
import { loadChangeset } from '../../changes/changesets.ts'
import {
  Changeset,
  type PendingChange,
  PendingChangeWithCard,
  Preview,
} from '../../contract/changes/pending-change.ts'
import { id } from '../../contract/scalars.ts'
import { notFound } from '../../core/errors.ts'
import { cleanText } from '../../core/text/clean.ts'
import type { Deps } from '../deps.ts'
import { idParams, route } from '../route.ts'
import { checkRead, ownDrafts } from '../scope.ts'

const params = idParams('id')
const decided = z.object({ items: z.array(PendingChangeWithCard) })

export const changesetRoutes = [
  route({
    method: 'get',
    path: '/api/changesets/:id',
    access: 'agent',
    summary: 'List the drafts of a changeset with their cards, in dependency order',
    params,
    answers: { 200: Changeset },
    async handle({ database, kinds, changes: { loadCards } }, { actor, params: { id } }) {
      checkRead(actor, 'pending_change')
      const changeset = await loadChangeset(database, { kinds, loadCards }, { id, ...ownDrafts(actor) })
      if (!changeset) throw notFound('changeset', id)
      return { body: changeset }
    },
  }),

  route({
    method: 'post',
    path: '/api/changesets/:id/approve',
    access: 'owner',
    summary: 'Approve all pending drafts of a changeset, or those named, or none',
    params,
    body: z.strictObject({
      payloads: z.record(id, z.string()).describe('Reviewed payload hashes by draft id'),
      partial: z
        .boolean()
        .optional()
        .describe('Drafts that are not named stay pending; by default they are an error'),
    }),
    answers: { 200: decided },
    async handle(deps, { actor, params: { id }, body: { payloads, partial } }) {
      return await answer(deps, await deps.changes.changesets.approve(actor, id, payloads, { partial }))
    },
  }),

  route({
    method: 'post',
    path: '/api/changesets/:id/reject',
    access: 'owner',
    summary: 'Reject all pending drafts of a changeset',
    params,
    body: z.strictObject({ reason: z.string().overwrite(cleanText).max(2000).optional() }),
    answers: { 200: decided },
    async handle(deps, { actor, params: { id }, body }) {
      return await answer(deps, await deps.changes.changesets.reject(actor, id, body))
    },
  }),

  route({
    method: 'get',
    path: '/api/changesets/:id/preview',
    access: 'owner',
    summary: 'Preview approving a changeset; changes nothing',
    params,
    answers: { 200: Preview },
    async handle({ changes: { previews } }, { actor, params: { id } }) {
      return { body: await previews.changeset(actor, id) }
    },
  }),
]

const answer = async ({ database, changes: { loadCards } }: Deps, changes: readonly PendingChange[]) => ({
  body: { items: await withCards(database, loadCards, changes) },
})

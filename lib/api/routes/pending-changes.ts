import { z } from 'zod'
import type { Actor } from '../../auth/actor.ts'
import { loadCard } from '../../changes/cards.ts'
import { cardLimits, noLimits } from '../../changes/diff/fold.ts'
import { createPendingChangesRepo } from '../../db/repos/pending_changes.ts'
import { notFound } from '../../errors.ts'
import { cleanText } from '../../text/clean.ts'
import { card } from '../card-schema.ts'
import { route } from '../route.ts'
import { flag, id, idParams, listOf, page, pageQuery, pendingChange, side } from '../schemas.ts'
import { checkRead, enterSpace, spacesOf } from '../scope.ts'

const params = idParams('id')
const reason = z.string().overwrite(cleanText).max(2000)

const approval = z.strictObject({
  payload_sha256: z.string().optional().describe('The hash of what was looked at'),
  fields: z.array(z.string()).max(100).optional().describe('Only these; the rest waits as a new draft'),
  hunks: z
    .record(z.string(), z.array(z.int().min(0)).max(100_000))
    .optional()
    .describe('Of a long text only these, by number'),
  edited: z.record(z.string(), z.unknown()).optional().describe('Other values than the draft’s'),
  choices: z.record(z.string(), side).optional().describe('The side of each conflict, by its index'),
})

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
    summary: 'Read one draft with its card; with whole=true, however long the card is',
    params,
    query: z.object({ whole: flag.describe('Fold nothing') }),
    answers: { 200: pendingChange.extend({ card }) },
    async handle({ database, kinds }, { actor, params: { id }, query: { whole } }) {
      checkRead(actor, 'pending_change')
      const change = await createPendingChangesRepo(database).find(id, within(actor))
      if (!change) throw notFound('pending change', id)
      const card = await loadCard(database, kinds, change, whole ? noLimits : cardLimits)
      return { body: { ...change, card } }
    },
  }),

  route({
    method: 'post',
    path: '/api/pending-changes/:id/approve',
    access: 'owner',
    summary: 'Apply a draft, some fields and hunks of it, or edited values in its place',
    params,
    body: approval,
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

  route({
    method: 'post',
    path: '/api/pending-changes/:id/review-again',
    access: 'owner',
    summary: 'Merge a stale draft with what has changed since, as a new draft',
    params,
    answers: { 200: pendingChange.extend({ card }) },
    async handle({ decisions, database, kinds }, { actor, params: { id } }) {
      const change = await decisions.reviewAgain(actor, id)
      return { body: { ...change, card: await loadCard(database, kinds, change) } }
    },
  }),

  route({
    method: 'post',
    path: '/api/pending-changes/:id/as-new-page',
    access: 'owner',
    summary: 'Draft a new page from the text of a draft whose target is gone',
    params,
    answers: { 200: pendingChange.extend({ card }) },
    async handle({ decisions, database, kinds }, { actor, params: { id } }) {
      const change = await decisions.asNewPage(actor, id)
      return { body: { ...change, card: await loadCard(database, kinds, change) } }
    },
  }),
]

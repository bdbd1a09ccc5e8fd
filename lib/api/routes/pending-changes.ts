import { z } from 'zod'
import type { Actor, AgentActor } from '../../auth/actor.ts'
import { loadCard } from '../../changes/cards.ts'
import { cardLimits, noLimits } from '../../changes/diff/fold.ts'
import { createPendingChangesRepo } from '../../db/repos/pending_changes.ts'
import { forbidden, notFound } from '../../errors.ts'
import { cleanText } from '../../text/clean.ts'
import { card } from '../card-schema.ts'
import { ownDrafts } from '../own-drafts.ts'
import { preview } from '../preview-schema.ts'
import { route } from '../route.ts'
import { flag, id, idParams, listOf, page, pageQuery, pendingChange, side } from '../schemas.ts'
import { checkRead, enterSpace } from '../scope.ts'

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
        ...ownDrafts(actor),
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
      const change = await createPendingChangesRepo(database).find(id, ownDrafts(actor))
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

  route({
    method: 'get',
    path: '/api/pending-changes/:id/preview',
    access: 'owner',
    summary: 'What approving it would lead to; changes nothing',
    params,
    answers: { 200: preview },
    async handle({ previews }, { actor, params: { id } }) {
      return { body: await previews.change(actor, id) }
    },
  }),

  route({
    method: 'post',
    path: '/api/pending-changes/:id/retract',
    access: 'agent',
    summary: 'An agent withdraws a draft of its own',
    params,
    answers: { 200: pendingChange },
    async handle({ retractChange }, { actor, params: { id } }) {
      return { body: await retractChange(checkSuggests(actor), id) }
    },
  }),

  route({
    method: 'post',
    path: '/api/pending-changes/:id/revise',
    access: 'agent',
    summary: 'An agent puts a new draft in the place of one of its own; fields left out stay as drafted',
    params,
    body: z.strictObject({
      payload: z.record(z.string(), z.unknown()).optional(),
      edits: z
        .array(z.object({ old_text: z.string().min(1), new_text: z.string() }))
        .max(200)
        .optional()
        .describe('Replacements in the drafted long text'),
      reason: z.string().max(1000).optional(),
    }),
    answers: { 202: pendingChange },
    async handle({ database, proposeChange }, { actor, params: { id }, body: { reason, payload, edits } }) {
      const agent = checkSuggests(actor)
      const draft = await createPendingChangesRepo(database).find(id, ownDrafts(agent))
      if (!draft) throw notFound('draft of yours', id)
      const { space_id, entity_type, action } = draft
      const body = await proposeChange(agent, {
        space_id,
        entity_type,
        action,
        supersedes: id,
        ...(payload ? { payload } : {}),
        ...(edits ? { edits } : {}),
        reason: reason ?? draft.reason,
        turn: null,
        tool_use_id: null,
      })
      return { status: 202, body }
    },
  }),
]

/** The agent; throws a 403 `AppError` for the owner, who decides instead, and for one that may not suggest. */
function checkSuggests(actor: Actor): AgentActor {
  if (actor.kind !== 'agent')
    throw forbidden('Only an agent does this with its own drafts; the owner decides.')
  if (!actor.capabilities.suggest) throw forbidden('This token may not suggest changes.')
  return actor
}

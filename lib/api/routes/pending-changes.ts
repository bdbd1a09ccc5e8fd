import { z } from 'zod'
import { cardLimits, noLimits } from '../../changes/card/fold-text.ts'
import { loadCard, withSuccessor } from '../../changes/card/load-cards.ts'
import { Edit } from '../../changes/propose/apply-edits.ts'
import { ChangeStatus, Side } from '../../contract/changes/decision.ts'
import {
  DecidedChange,
  DraftAnswer,
  PendingChange,
  PendingChangeWithCard,
  Preview,
} from '../../contract/changes/pending-change.ts'
import { listOf } from '../../contract/list.ts'
import { id } from '../../contract/scalars.ts'
import type { Actor, AgentActor } from '../../core/actor.ts'
import { forbidden, notFound } from '../../core/errors.ts'
import { cleanText } from '../../core/text/clean.ts'
import type { Deps } from '../deps.ts'
import { flag, idParams, longBody, page, pageQuery, route } from '../route.ts'
import { checkRead, draftAnswer, enterSpace, ownDrafts } from '../scope.ts'

const params = idParams('id')
const reason = z.string().overwrite(cleanText).max(2000)

/** Of what names each hunk of a draft, or holds its edited text. */
const decisionBounds = { bodyLimit: longBody, bodyValues: 200_000 }

const approval = z.strictObject({
  payload_sha256: z.string().optional().describe('Reviewed payload hash'),
  fields: z.array(z.string()).max(100).optional().describe('Fields to approve; the rest becomes a new draft'),
  hunks: z
    .record(z.string(), z.array(z.int().min(0)).max(100_000))
    .optional()
    .describe('Hunk numbers to approve, by long text field'),
  edited: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Edited values that replace those of the draft'),
  choices: z.record(z.string(), Side).optional().describe('Chosen side of each conflict, by its index'),
})

export const pendingChangeRoutes = [
  route({
    method: 'get',
    path: '/api/pending-changes',
    access: 'agent',
    summary: 'List drafts, newest first; agents see their own',
    query: pageQuery.extend({
      status: ChangeStatus.optional(),
      space_id: id.optional(),
      entity_id: id.optional(),
    }),
    answers: { 200: listOf(PendingChange) },
    async handle(deps, { actor, query: { cursor, limit, status, space_id, entity_id } }) {
      checkRead(actor, 'pending_change')
      if (space_id) await enterSpace(deps, actor, space_id)
      const rows = await deps.repos.pendingChangeLists.list({
        ...ownDrafts(actor),
        ...(space_id ? { space_ids: [space_id] } : {}),
        status: status ?? null,
        ...(entity_id ? { entity_id } : {}),
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
    summary: 'Get a draft with its card',
    params,
    query: z.object({ whole: flag.describe('Return the card unfolded, regardless of length') }),
    answers: { 200: PendingChangeWithCard },
    async handle({ repos, database, changes }, { actor, params: { id }, query: { whole } }) {
      checkRead(actor, 'pending_change')
      const change = await repos.pendingChanges.find(id, ownDrafts(actor))
      if (!change) throw notFound('pending change', id)
      const limits = whole ? noLimits : cardLimits
      const card = await loadCard(database, changes.loadCards, change, { limits, compares: true })
      return { body: { ...change, card } }
    },
  }),

  route({
    method: 'post',
    path: '/api/pending-changes/:id/approve',
    access: 'owner',
    summary: 'Approve a draft, selected fields and hunks of it, or edited values',
    params,
    body: approval,
    ...decisionBounds,
    answers: { 200: DecidedChange },
    async handle(deps, { actor, params: { id }, body }) {
      return await answer(deps, await deps.changes.decisions.approve(actor, id, body))
    },
  }),

  route({
    method: 'post',
    path: '/api/pending-changes/:id/reject',
    access: 'owner',
    summary: 'Reject a draft, or all but selected fields and hunks',
    params,
    body: z.strictObject({
      reason: reason.optional(),
      payload_sha256: approval.shape.payload_sha256,
      keep: approval
        .pick({ fields: true, hunks: true })
        .optional()
        .describe('Fields and hunks to keep as a new draft; only the rest is rejected'),
    }),
    ...decisionBounds,
    answers: { 200: DecidedChange },
    async handle(deps, { actor, params: { id }, body }) {
      return await answer(deps, await deps.changes.decisions.reject(actor, id, body))
    },
  }),

  route({
    method: 'post',
    path: '/api/pending-changes/:id/review-again',
    access: 'owner',
    summary: 'Merge a stale draft with later changes into a new draft',
    params,
    answers: { 200: DecidedChange },
    async handle(deps, { actor, params: { id } }) {
      return await answer(deps, await deps.changes.decisions.reviewAgain(actor, id))
    },
  }),

  route({
    method: 'post',
    path: '/api/pending-changes/:id/as-new-page',
    access: 'owner',
    summary: 'Draft a new page from the text of a draft whose target no longer exists',
    params,
    answers: { 200: DecidedChange },
    async handle(deps, { actor, params: { id } }) {
      return await answer(deps, await deps.changes.decisions.asNewPage(actor, id))
    },
  }),

  route({
    method: 'get',
    path: '/api/pending-changes/:id/preview',
    access: 'owner',
    summary: 'Preview approving a draft; changes nothing',
    params,
    answers: { 200: Preview },
    async handle({ changes: { previews } }, { actor, params: { id } }) {
      return { body: await previews.change(actor, id) }
    },
  }),

  route({
    method: 'post',
    path: '/api/pending-changes/:id/retract',
    access: 'agent',
    summary: 'Retract a draft; its own agent only',
    params,
    rights: checkSuggests,
    answers: { 200: DraftAnswer },
    async handle({ changes: { retractChange } }, { actor, params: { id } }) {
      return { body: draftAnswer(actor, await retractChange(checkSuggests(actor), id)) }
    },
  }),

  route({
    method: 'post',
    path: '/api/pending-changes/:id/revise',
    access: 'agent',
    summary: 'Replace a draft; its own agent only. Omitted fields stay as drafted',
    params,
    rights: checkSuggests,
    bodyLimit: longBody,
    body: z.strictObject({
      payload: z.record(z.string(), z.unknown()).optional(),
      edits: z.array(Edit).max(200).optional().describe('Edits of the drafted long text'),
      reason: z.string().max(1000).optional(),
    }),
    answers: { 202: DraftAnswer },
    async handle({ changes: { reviseChange } }, { actor, params: { id }, body }) {
      const agent = checkSuggests(actor)
      return { status: 202, body: draftAnswer(agent, await reviseChange(agent, { id, ...body })) }
    },
  }),
]

/** What a decision answers. */
const answer = async ({ database, changes }: Deps, change: PendingChange) => ({
  body: await withSuccessor(database, changes.loadCards, change),
})

/** The agent; throws a 403 `AppError` for the owner, who decides instead, and for one that may not suggest. */
function checkSuggests(actor: Actor): AgentActor {
  if (actor.kind !== 'agent') throw forbidden('Only agents can do this, with their own drafts.')
  if (!actor.capabilities.suggest) throw forbidden('This token may not suggest changes.')
  return actor
}

import { z } from 'zod'
import { route } from '../route.ts'
import { id, idParams, version } from '../schemas.ts'

const settle = z
  .strictObject({ version, fields: z.record(z.string(), z.unknown()).default({}) })
  .optional()
  .describe(
    'After a 409 undo_conflict: a value for each field that could not be merged, and the version it is for',
  )

const undone = z.object({
  entity_type: z.string(),
  entity_id: id,
  space_id: id.nullable(),
  seq: z
    .int()
    .nullable()
    .describe('The audit row that the undo made; null when nothing was left to take back'),
  did: z.enum(['update', 'delete', 'restore']).nullable(),
  row: z.record(z.string(), z.unknown()).describe('As it is now'),
  draft: z
    .object({ pending_change_id: id, undone: z.boolean() })
    .nullable()
    .describe('The draft that the change came from'),
})

export const undoRoutes = [
  route({
    method: 'post',
    path: '/api/audit/:seq/undo',
    access: 'owner',
    summary: 'Take a change back, as a change of its own',
    params: z.object({ seq: z.coerce.number().int().min(1) }),
    body: z.strictObject({
      since: z
        .int()
        .min(1)
        .optional()
        .describe('Take back the updates of this thing from that one on, as one'),
      settle,
    }),
    answers: { 200: undone },
    async handle({ undo }, { actor, params: { seq }, body }) {
      return { body: await undo.change(actor, seq, body) }
    },
  }),

  route({
    method: 'post',
    path: '/api/pending-changes/:id/undo',
    access: 'owner',
    summary: 'Take back what approving a draft changed',
    params: idParams('id'),
    body: z.strictObject({ settle }),
    answers: { 200: undone },
    async handle({ undo }, { actor, params: { id }, body }) {
      return { body: await undo.draft(actor, id, body) }
    },
  }),

  route({
    method: 'post',
    path: '/api/changesets/:id/undo',
    access: 'owner',
    summary: 'Take back all that was applied of a changeset, or nothing of it',
    params: idParams('id'),
    answers: { 200: z.object({ items: z.array(undone) }) },
    async handle({ undo }, { actor, params: { id } }) {
      return { body: { items: await undo.changeset(actor, id) } }
    },
  }),
]

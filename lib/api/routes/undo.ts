import { z } from 'zod'
import { Undone } from '../../contract/entities.ts'
import { version } from '../../contract/scalars.ts'
import { idParams } from '../params.ts'
import { route } from '../route.ts'

const settle = z
  .strictObject({ version, fields: z.record(z.string(), z.unknown()).default({}) })
  .optional()
  .describe(
    'After a 409 undo_conflict: a value for each field that could not be merged, and the version it is for',
  )

export const undoRoutes = [
  route({
    method: 'post',
    path: '/api/audit/:seq/undo',
    access: 'owner',
    summary: 'Undo a change, as a change of its own',
    params: z.object({ seq: z.coerce.number().int().min(1) }),
    body: z.strictObject({
      since: z.int().min(1).optional().describe('Undo all updates since that one, as one change'),
      settle,
    }),
    answers: { 200: Undone },
    async handle({ content: { undo } }, { actor, params: { seq }, body }) {
      return { body: await undo.change(actor, seq, body) }
    },
  }),

  route({
    method: 'post',
    path: '/api/pending-changes/:id/undo',
    access: 'owner',
    summary: 'Undo an approved draft',
    params: idParams('id'),
    body: z.strictObject({ settle }),
    answers: { 200: Undone },
    async handle({ content: { undo } }, { actor, params: { id }, body }) {
      return { body: await undo.draft(actor, id, body) }
    },
  }),

  route({
    method: 'post',
    path: '/api/changesets/:id/undo',
    access: 'owner',
    summary: 'Undo all applied changes of a changeset, or none',
    params: idParams('id'),
    answers: { 200: z.object({ items: z.array(Undone) }) },
    async handle({ content: { undo } }, { actor, params: { id } }) {
      return { body: { items: await undo.changeset(actor, id) } }
    },
  }),
]

import { z } from 'zod'
import { verifyAudit } from '../../audit/verify.ts'
import { createAuditRepo } from '../../db/repos/audit.ts'
import { route } from '../route.ts'
import { id, listOf } from '../schemas.ts'

const auditRow = z.object({
  seq: z.int(),
  at: z.iso.datetime(),
  space_id: id.nullable(),
  actor: z.string(),
  action: z.string(),
  entity_type: z.string(),
  entity_id: id,
  version: z.int().nullable(),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
  pending_change_id: id.nullable(),
  undoes: z.int().nullable().describe('The row that this one takes back'),
  undoes_since: z.int().nullable().describe('With undoes: the first of a run of rows'),
  previous_hash: z.string(),
  hash: z.string(),
})

export const auditRoutes = [
  route({
    method: 'get',
    path: '/api/audit',
    access: 'owner',
    summary: 'List what changed, newest first',
    query: z.object({
      space_id: id.optional(),
      entity_id: id.optional(),
      cursor: z.coerce.number().int().min(1).optional().describe('The next_cursor of the page before'),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    answers: { 200: listOf(auditRow) },
    async handle({ database }, { query: { space_id, entity_id, cursor, limit } }) {
      const rows = await createAuditRepo(database).list({
        space_id: space_id ?? null,
        entity_id: entity_id ?? null,
        before_seq: cursor ?? null,
        limit: limit + 1,
      })
      const items = rows.slice(0, limit)
      return { body: { items, next_cursor: rows.length > limit ? String(items.at(-1)?.seq) : null } }
    },
  }),

  route({
    method: 'get',
    path: '/api/audit/verify',
    access: 'owner',
    summary: 'Check the chain of hashes from the first row to the last',
    answers: {
      200: z.object({
        sound: z.boolean(),
        rows: z.int().describe('Rows that are as they were written'),
        head: z.object({ seq: z.int(), hash: z.string() }).optional().describe('Of a sound log'),
        seq: z.int().optional().describe('The first row that is wrong or missing'),
        why: z.string().optional(),
      }),
    },
    async handle({ database }) {
      return { body: await verifyAudit(database) }
    },
  }),
]

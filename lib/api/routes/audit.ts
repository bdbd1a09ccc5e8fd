import { z } from 'zod'
import { AuditRow, AuditVerdict } from '../../contract/audit.ts'
import { listOf } from '../../contract/list.ts'
import { id } from '../../contract/scalars.ts'
import { verifyAudit } from '../../ops/audit/verify.ts'
import { route } from '../route.ts'

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
    answers: { 200: listOf(AuditRow) },
    async handle({ repos }, { query: { space_id, entity_id, cursor, limit } }) {
      const rows = await repos.audit.list({
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
    answers: { 200: AuditVerdict },
    async handle({ database }) {
      return { body: await verifyAudit(database) }
    },
  }),
]

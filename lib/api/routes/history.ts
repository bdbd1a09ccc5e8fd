import { z } from 'zod'
import { blameText } from '../../changes/blame/blame.ts'
import { diffVersions, listVersions } from '../../content/writes/history.ts'
import { AuditRow, AuditVerdict } from '../../contract/audit.ts'
import { Blame } from '../../contract/changes/blame.ts'
import type { Kind } from '../../contract/entities/kind.ts'
import { EntityVersion, Trash, Undone, VersionDiff } from '../../contract/entities.ts'
import { listOf } from '../../contract/list.ts'
import { id, version } from '../../contract/scalars.ts'
import { conflict } from '../../core/errors.ts'
import { verifyAudit } from '../../ops/audit/verify.ts'
import { idParams, longBody, type Route, route, versionParam } from '../route.ts'
import { checkRead, enterSpace, findEntity } from '../scope.ts'

/** The history of one kind. */
export function historyRoutes(kind: Kind): Route[] {
  const path = `/api/${kind.path}/:id/history`
  const params = idParams('id')
  return [
    route({
      method: 'get',
      path,
      access: 'owner',
      summary: `List the versions of a ${kind.label}, newest first, with author, time and reason`,
      params,
      query: z.object({
        cursor: z.coerce.number().int().min(1).optional().describe('next_cursor of the previous page'),
        limit: z.coerce.number().int().min(1).max(200).default(50),
      }),
      answers: { 200: listOf(EntityVersion) },
      async handle(deps, { actor, params: { id }, query: { cursor, limit } }) {
        const page = { before_seq: cursor ?? null, limit: limit + 1 }
        const rows = await listVersions(deps.database, await findEntity(deps, actor, kind, id), page)
        const items = rows.slice(0, limit)
        return { body: { items, next_cursor: rows.length > limit ? String(items.at(-1)?.seq) : null } }
      },
    }),

    route({
      method: 'get',
      path: `${path}/diff`,
      access: 'owner',
      summary: `Compare two versions of a ${kind.label}`,
      params,
      query: z.object({ from: versionParam, to: versionParam }),
      answers: { 200: VersionDiff },
      async handle(deps, { actor, params: { id }, query }) {
        return { body: await diffVersions(deps.database, await findEntity(deps, actor, kind, id), query) }
      },
    }),
  ]
}

export const auditRoutes = [
  route({
    method: 'get',
    path: '/api/audit',
    access: 'owner',
    summary: 'List audit log entries, newest first',
    query: z.object({
      space_id: id.optional(),
      entity_id: id.optional(),
      cursor: z.coerce.number().int().min(1).optional().describe('next_cursor of the previous page'),
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
    summary: 'Verify the hash chain of the audit log',
    answers: { 200: AuditVerdict },
    async handle({ database }) {
      return { body: await verifyAudit(database) }
    },
  }),
]

const settle = z
  .strictObject({ version, fields: z.record(z.string(), z.unknown()).default({}) })
  .optional()
  .describe('After a 409 undo_conflict: a value for each conflicting field, and the version it applies to')

export const undoRoutes = [
  route({
    method: 'post',
    path: '/api/audit/:seq/undo',
    access: 'owner',
    summary: 'Undo a change; the undo is a new change',
    params: z.object({ seq: z.coerce.number().int().min(1) }),
    bodyLimit: longBody,
    body: z.strictObject({
      since: z.int().min(1).optional().describe('Undo all updates since this sequence number, as one change'),
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
    bodyLimit: longBody,
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
    summary: 'Undo all applied changes of a changeset, or of the drafts named, or none',
    params: idParams('id'),
    body: z.strictObject({ drafts: z.array(id).max(1000).optional().describe('Default: all drafts') }),
    answers: { 200: z.object({ items: z.array(Undone) }) },
    async handle({ content: { undo } }, { actor, params: { id }, body: { drafts } }) {
      return { body: { items: await undo.changeset(actor, id, drafts) } }
    },
  }),
]

const offset = z.coerce.number().int().min(0).optional()

/** Of one kind: why its text says what it says. */
export function blameRoutes(kind: Kind): Route[] {
  return [
    route({
      method: 'get',
      path: `/api/${kind.path}/:id/blame`,
      access: 'agent',
      summary: `Get the blame of a ${kind.label}: for each passage the change that wrote it, its approver and its sources`,
      params: idParams('id'),
      query: z.object({
        start: offset.describe('Start of the range, in UTF-16 code units'),
        end: offset.describe('End of the range, exclusive'),
        version: versionParam.optional().describe('Version the offsets refer to'),
      }),
      answers: { 200: Blame },
      async handle(deps, { actor, params, query: { start, end, version } }) {
        checkRead(actor, kind.type)
        const row = await findEntity(deps, actor, kind, params.id)
        if (version !== undefined && version !== row.version) {
          const message = `The ${kind.label} ${row.id} is now at version ${row.version}.`
          throw conflict('stale_version', message, { current_version: row.version })
        }
        return { body: await blameText(deps, { kind, row, actor, start, end }) }
      },
    }),
  ]
}

/** Things of a trash that are listed; older ones are found with `?deleted=true` of their kind. */
const maxListed = 500

export const trashRoutes = [
  route({
    method: 'get',
    path: '/api/spaces/:space_id/trash',
    access: 'owner',
    summary: 'List the restorable items in the trash of a Space, latest first',
    params: idParams('space_id'),
    answers: { 200: Trash },
    async handle(deps, { actor, params: { space_id } }) {
      await enterSpace(deps, actor, space_id)
      const items = await deps.repos.trash.list(deps.kinds.all, space_id, maxListed)
      return { body: { days: deps.server.trashDays, items } }
    },
  }),
]

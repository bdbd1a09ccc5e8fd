import { z } from 'zod'
import { blameText } from '../../changes/blame/blame.ts'
import type { Blame } from '../../contract/blame.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import type { Kind } from '../../entities/kind.ts'
import { conflict, notFound } from '../../errors.ts'
import { provenance } from '../provenance-schema.ts'
import { type Route, route } from '../route.ts'
import { id, idParams, succession, version } from '../schemas.ts'
import { checkRead, spacesOf } from '../scope.ts'

const draft = z.object({
  pending_change_id: id,
  agent: z.object({ slug: z.string(), name: z.string() }),
  derivation: succession.derivation,
  approved: z.object({ at: z.iso.datetime(), by: z.string() }),
  note: z.string().nullable().describe('The agent’s own words; null for another agent'),
  asked: z.string().nullable().describe('What the owner had asked; for the owner'),
  turn: z
    .object({ id, conversation: z.object({ id, title: z.string() }).nullable() })
    .nullable()
    .describe('That made the draft; for the owner'),
  provenance: provenance.nullable().describe('null for another agent'),
})

const blame = z.object({
  version,
  field: z.string().describe('The field that holds the text'),
  passages: z
    .array(
      z.object({
        start: z.int(),
        end: z.int(),
        line: z.int(),
        text: z.string(),
        seq: z.int().nullable().describe('The change that wrote it; null: older than what is looked through'),
      }),
    )
    .describe('In the order of the text, nothing left out'),
  changes: z
    .array(
      z.object({
        seq: z.int().describe('Of the audit row'),
        version: version.nullable(),
        at: z.iso.datetime(),
        actor: z.string(),
        action: z.string(),
        outside: z.boolean().describe('Whether the words came in from outside, as by an import'),
        draft: draft.nullable().describe('The draft by way of which it came in'),
      }),
    )
    .describe('Each once, the latest first'),
  complete: z.boolean().describe('false: some of the text is older than what is looked through'),
}) satisfies z.ZodType<Blame>

const offset = z.coerce.number().int().min(0).optional()

/** Of one kind: why its text says what it says. */
export function blameRoutes(kind: Kind): Route[] {
  return [
    route({
      method: 'get',
      path: `/api/${kind.path}/:id/blame`,
      access: 'agent',
      summary: `Which change wrote what of the text of a ${kind.label}, who approved it, and from which sources`,
      params: idParams('id'),
      query: z.object({
        start: offset.describe('The first character that is asked about, in UTF-16 units'),
        end: offset.describe('The character after the last'),
        version: z.coerce.number().int().min(1).optional().describe('The version that these count in'),
      }),
      answers: { 200: blame },
      async handle({ database }, { actor, params, query: { start, end, version } }) {
        checkRead(actor, kind.type)
        const row = await createEntitiesRepo(database).findWithinSpaces(kind, spacesOf(actor), params.id)
        if (!row) throw notFound(kind.label, params.id)
        if (version !== undefined && version !== row.version) {
          const message = `The ${kind.label} ${row.id} is now at version ${row.version}.`
          throw conflict('stale_version', message, { current_version: row.version })
        }
        return { body: await blameText(database, { kind, row, actor, start, end }) }
      },
    }),
  ]
}

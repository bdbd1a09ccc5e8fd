// The schemas that routes share: what a row, a list and an error look like on the wire.

import { z } from 'zod'
import { type Kind, origins } from '../entities/kind.ts'
import { provenance } from './provenance-schema.ts'

export const id = z.uuid()

/** Whatever is not a UUID names nothing: such a parameter is answered with 404, as an unknown id is. */
export const idParams = <Names extends string>(...names: Names[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, id])) as Record<Names, typeof id>)

export const version = z.int().min(1).describe('The version that was seen')

export const pageQuery = z.object({
  cursor: id.optional().describe('The next_cursor of the page before'),
  limit: z.coerce.number().int().min(1).max(200).default(50),
})

export const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((value) => value === 'true')

export const listOf = (item: z.ZodType) =>
  z.object({ items: z.array(item), next_cursor: z.string().nullable() })

const rowBase = z.object({
  id,
  space_id: id,
  version,
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  created_by: z.string(),
  updated_by: z.string(),
  origin: z.enum(origins),
  deleted_at: z.iso.datetime().nullable(),
})

/** A row of a kind: the shared columns, its fields, its derived columns. */
export const rowOf = (kind: Kind) => rowBase.extend(kind.fields.shape).extend(kind.derived.shape)

export const spaceRow = rowBase.omit({ space_id: true }).extend({
  slug: z.string(),
  name: z.string(),
  description: z.string(),
})

export const side = z.enum(['current', 'draft'])

const decision = z.object({
  decision: z.enum(['approve', 'reject', 'review_again']),
  reason: z.string().nullable(),
  fields: z.array(z.string()).optional().describe('Approved in part: these fields'),
  hunks: z.record(z.string(), z.array(z.int())).optional().describe('and these hunks of a long text'),
  edited_sha256: z.string().optional().describe('Approved with other values, whose hash this is'),
  choices: z.record(z.string(), side).optional(),
})

const derivation = z.enum(['proposed', 'revised', 'edited', 'rest', 'merged', 'resolved', 'rescued'])

export const succession = {
  derivation: derivation.describe('How it came to be'),
  supersedes: id.nullable().describe('The one whose place it takes'),
  superseded_by: id.nullable().describe('The one that took its place, or that holds the rest of it'),
}

export const conflict = z.object({
  index: z.int(),
  field: z.string(),
  at: z.int().nullable().describe('Of a long text: where the current side begins in the result'),
  base: z.unknown(),
  current: z.unknown(),
  draft: z.unknown(),
})

export const changeSince = z.object({
  at: z.iso.datetime(),
  by: z.string(),
  action: z.string(),
  version: version.nullable(),
  pending_change_id: id.nullable(),
  fields: z.array(z.object({ name: z.string(), before: z.unknown(), after: z.unknown(), long: z.boolean() })),
})

export const pendingChange = z.object({
  id,
  space_id: id,
  agent_id: id,
  conversation_id: id.nullable(),
  turn_id: id.nullable(),
  tool_use_id: z.string().nullable(),
  changeset_id: id,
  entity_type: z.string(),
  entity_id: id,
  action: z.enum(['create', 'update', 'delete']),
  payload: z.record(z.string(), z.unknown()),
  payload_sha256: z.string(),
  base_version: version.nullable(),
  reason: z.string(),
  status: z.enum(['pending', 'approved', 'rejected', 'superseded', 'retracted', 'expired', 'obsolete']),
  created_at: z.iso.datetime(),
  decided_at: z.iso.datetime().nullable(),
  decided_by: z.string().nullable(),
  decision: decision.nullable(),
  provenance,
  result_version: version.nullable(),
  drill: z.boolean(),
  ...succession,
  conflicts: z.array(conflict),
})

export const errorBody = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
    request_id: z.string(),
  }),
})

/** Rows cut to `limit`, and the cursor for more; the query asked for one row too many. */
export function page<Row extends { id: string }>(rows: Row[], limit: number) {
  const items = rows.slice(0, limit)
  return { items, next_cursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null }
}

/** A link that leaves a text. */
export const linkOut = z.object({
  name: z.string(),
  label: z.string().nullable(),
  heading: z.string().nullable(),
  embed: z.boolean(),
  to_type: z.string().nullable(),
  to_id: z.uuid().nullable().describe('null while nothing has that name'),
})

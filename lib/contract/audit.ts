import { z } from 'zod'
import { actor, count, fields, id, time, version } from './scalars.ts'

/** A row of the audit log: one change to one entity. */
export const AuditRow = z.object({
  seq: z.int().min(1),
  at: time,
  space_id: id.nullable(),
  actor,
  action: z.string(),
  entity_type: z.string(),
  entity_id: id,
  version: version.nullable(),
  /** Changed fields before and after the change; `null` if that side does not exist. */
  before: fields.nullable(),
  after: fields.nullable(),
  pending_change_id: id.nullable(),
  undoes: z.int().nullable().describe('Sequence number of the row that this row undoes'),
  undoes_since: z
    .int()
    .nullable()
    .describe('With `undoes`: the first row of the range that was undone, all of one entity'),
  previous_hash: z.string(),
  hash: z.string(),
})
export type AuditRow = z.infer<typeof AuditRow>

/** Head of the hash chain. */
export const ChainHead = z.object({ seq: count, hash: z.string() })
export type ChainHead = z.infer<typeof ChainHead>

/** Result of verifying the hash chain. */
export const AuditVerdict = z.discriminatedUnion('sound', [
  z.object({
    sound: z.literal(true),
    rows: count.describe('Number of verified rows'),
    redacted: count.describe('Rows from which the owner removed words; they are as the log records it'),
    head: ChainHead,
  }),
  z.object({
    sound: z.literal(false),
    rows: count,
    seq: z.int().describe('Sequence number of the first row that is altered or missing'),
    why: z.string(),
  }),
])
export type AuditVerdict = z.infer<typeof AuditVerdict>

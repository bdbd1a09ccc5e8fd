import { z } from 'zod'
import { actor, count, fields, id, time, version } from './scalars.ts'

/** A row of the audit log: one change of one thing. */
export const AuditRow = z.object({
  seq: z.int().min(1),
  at: time,
  space_id: id.nullable(),
  actor,
  action: z.string(),
  entity_type: z.string(),
  entity_id: id,
  version: version.nullable(),
  /** The changed fields as they were and as they are; `null` where there is no such side. */
  before: fields.nullable(),
  after: fields.nullable(),
  pending_change_id: id.nullable(),
  undoes: z.int().nullable().describe('The row that this one undoes'),
  undoes_since: z.int().nullable().describe('With undoes: the first of a run of rows of one entity'),
  previous_hash: z.string(),
  hash: z.string(),
})
export type AuditRow = z.infer<typeof AuditRow>

/** The end of the chain of hashes. */
export const ChainHead = z.object({ seq: count, hash: z.string() })
export type ChainHead = z.infer<typeof ChainHead>

/** What came of checking the chain of hashes. */
export const AuditVerdict = z.discriminatedUnion('sound', [
  z.object({
    sound: z.literal(true),
    rows: count.describe('Rows that are as they were written'),
    head: ChainHead,
  }),
  z.object({
    sound: z.literal(false),
    rows: count,
    seq: z.int().describe('The first row that is wrong or missing'),
    why: z.string(),
  }),
])
export type AuditVerdict = z.infer<typeof AuditVerdict>

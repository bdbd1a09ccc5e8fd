// What became of an entity, and what an undo answers with.

import { z } from 'zod'
import { actor, fields, id, time, too_complex, version } from './scalars.ts'

/** A row of the audit log, by its number. */
const seq = z.int().min(1)

/** What an undo made. */
export const Undone = z.object({
  entity_type: z.string(),
  entity_id: id,
  space_id: id.nullable(),
  seq: seq.nullable().describe('The audit row that the undo made; null when nothing was left to undo'),
  /** What the undo did. */
  did: z.enum(['update', 'delete', 'restore']).nullable(),
  row: fields.describe('As it is now'),
  draft: z
    .object({ pending_change_id: id, undone: z.boolean() })
    .nullable()
    .describe('The draft that the change came from, and whether it is undone now'),
})
export type Undone = z.infer<typeof Undone>

/** One field of a change that is to be undone and was changed again since. */
export const UndoField = z.object({
  name: z.string(),
  /** As the change left it. */
  base: z.unknown(),
  /** As it is now. */
  theirs: z.unknown(),
  /** As it was before the change. */
  ours: z.unknown(),
  /** Whether both go together; then `merged` is what an undo would make of it. */
  clean: z.boolean(),
  merged: z.unknown(),
  /** Of a text: the places that both changed. */
  conflicts: z.array(z.object({ base: z.string(), ours: z.string(), theirs: z.string() })),
  /** Then nothing is merged, and the whole texts are the sides. */
  too_complex,
})
export type UndoField = z.infer<typeof UndoField>

/** The `details` of a 409 `undo_conflict`. */
export const UndoConflict = z.object({
  seq,
  entity_type: z.string(),
  entity_id: id,
  title: z.string(),
  /** Sent back with the owner's choice. */
  version,
  action: z.enum(['update', 'delete']),
  fields: z.array(UndoField),
  since: z.array(z.object({ seq, at: time, actor, action: z.string(), fields: z.array(z.string()) })),
})
export type UndoConflict = z.infer<typeof UndoConflict>

/** How a change, or a draft that was approved, was undone. */
export const UndoMark = z.object({ seq, at: time, by: actor })
export type UndoMark = z.infer<typeof UndoMark>

/** Why a version is there, where it came from a draft. */
const VersionReason = z.object({
  pending_change_id: id,
  agent: z.object({ slug: z.string(), name: z.string() }),
  note: z.string().describe('The agent’s own words, plain text'),
  conversation: z.object({ id, title: z.string() }).nullable(),
  asked: z.string().nullable().describe('What the owner had asked in the turn that made the draft'),
})

/** One version of an entity. */
export const EntityVersion = z.object({
  seq: seq.describe('Of the audit row: what an undo names'),
  version: version.nullable(),
  at: time,
  actor,
  action: z.string(),
  fields: z.array(z.string()).describe('The names of the fields that it changed'),
  undoes: z.object({ seq, since: seq }).nullable().describe('The audit rows that it undoes'),
  undone: UndoMark.nullable().describe('The undo that reverted it, unless that was undone too'),
  reason: VersionReason.nullable(),
})
export type EntityVersion = z.infer<typeof EntityVersion>

/** What differs between two versions. `null` on both sides of `deleted_at`: in neither was it in the trash. */
export const VersionDiff = z.object({
  from: version,
  to: version,
  fields: z.array(z.object({ name: z.string(), before: z.unknown(), after: z.unknown() })),
})
export type VersionDiff = z.infer<typeof VersionDiff>

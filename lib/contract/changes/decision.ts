// Origin and outcome of a pending change.

import { z } from 'zod'
import { actor, count, id, time, too_complex, version } from '../scalars.ts'

/**
 * Derivation of a pending change. `proposed`: by its agent. `revised`: replaces an older draft of the agent. `extended`:
 * includes the changes of the agent's earlier pending draft. `edited`: by the owner while approving. `rest`: remainder of
 * a partly approved or rejected draft. `merged`: with later changes of the entity. `resolved`: a merge with the owner's
 * choices. `rescued`: a new page from a draft whose target no longer exists.
 */
export const Derivation = z.enum([
  'proposed',
  'revised',
  'extended',
  'edited',
  'rest',
  'merged',
  'resolved',
  'rescued',
])

export type Derivation = z.infer<typeof Derivation>

/** Side of a conflict: the current value, or the draft's. */
export const Side = z.enum(['current', 'draft'])

export type Side = z.infer<typeof Side>

/**
 * A region changed on both sides since the draft was created. Until the owner chooses a side, the payload contains the
 * current side, without conflict markers.
 */
export const Conflict = z.object({
  index: count.describe('Zero-based index of the conflict; its key in `choices`'),
  field: z.string(),
  at: count
    .nullable()
    .describe('For a long text: offset of the current side in the result, in UTF-16 code units'),
  /** The three sides: whole lines for a long text, otherwise the field value. */
  base: z.unknown(),
  current: z.unknown(),
  draft: z.unknown(),
  too_complex: too_complex.optional(),
})

export type Conflict = z.infer<typeof Conflict>

/** A change of a replaced draft that its successor does not contain. */
export const DroppedChange = z.object({
  field: z.string().describe('Field name; empty for the whole draft'),
  text: z.string().describe('The dropped value, or the missing lines'),
})

export type DroppedChange = z.infer<typeof DroppedChange>

/** The owner's decision as requested. A repeated request is the same decision only if all fields are equal. */
export const Decision = z.object({
  decision: z.enum(['approve', 'reject', 'review_again']),
  reason: z.string().nullable(),
  fields: z
    .array(z.string())
    .optional()
    .describe(
      'Partial approval: the approved fields. Partial rejection: the fields that were kept. Absent if the decision covers the whole draft or contains edited values',
    ),
  hunks: z
    .record(z.string(), z.array(count))
    .optional()
    .describe(
      'Indexes of the approved or, for a partial rejection, kept hunks of long texts, by field. Default: all hunks of `fields`',
    ),
  edited_sha256: z
    .string()
    .optional()
    .describe('SHA-256 of the owner’s edited values, if any; the successor contains the values'),
  choices: z.record(z.string(), Side).optional().describe('Chosen sides, by conflict index'),
})

export type Decision = z.infer<typeof Decision>

/** A change of an entity made after a draft of it was created. */
export const ChangeSince = z.object({
  at: time,
  by: actor,
  action: z.string(),
  version: version.nullable(),
  pending_change_id: id.nullable().describe('The approved draft that the change came from, if any'),
  /** For a text too long for a list, both sides are `null`: see the entity's history. */
  fields: z.array(z.object({ name: z.string(), before: z.unknown(), after: z.unknown(), long: z.boolean() })),
})

export type ChangeSince = z.infer<typeof ChangeSince>

/** Succession of drafts, in rows and cards. */
export const succession = {
  derivation: Derivation.describe('Derivation of the draft'),
  supersedes: id.nullable().describe('The draft that this draft replaces'),
  superseded_by: id
    .nullable()
    .describe('The draft that replaced this draft, or that contains the rest of it'),
}

export const ChangeAction = z.enum(['create', 'update', 'delete', 'call'])

export type ChangeAction = z.infer<typeof ChangeAction>

/** `true` if approving creates something new, so there is no current row to compare with. */
export const makesNew = (action: ChangeAction): boolean => action === 'create' || action === 'call'

export const ChangeStatus = z.enum([
  'pending',
  'approved',
  'rejected',
  'superseded',
  'retracted',
  'expired',
  'obsolete',
])

export type ChangeStatus = z.infer<typeof ChangeStatus>

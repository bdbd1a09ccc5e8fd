// What became of a pending change, and how one came to be.

import { z } from 'zod'
import { actor, count, id, time, too_complex, version } from '../scalars.ts'

/**
 * How a pending change came to be: `proposed` by its agent; `revised` by it, in place of an older one;
 * `extended` by it: with the changes of the one that waited; `edited` by the
 * owner, who approved it in the same step; the `rest` of one that was approved or rejected in part; `merged` with what had changed
 * since; `resolved` from a merge by the owner's choices; `rescued` as a new page from one whose target was gone.
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

/** Which side of a conflict the owner wants: the current value, or the draft's. */
export const Side = z.enum(['current', 'draft'])

export type Side = z.infer<typeof Side>

/**
 * A place that was changed on both sides since the draft was made. Until the owner has chosen, the change holds the
 * current side; its payload holds no conflict markers.
 */
export const Conflict = z.object({
  index: count.describe('Its name in the owner’s `choices`: its place among the conflicts, from 0'),
  field: z.string(),
  at: count
    .nullable()
    .describe('Of a long text: where the current side begins in the result, in UTF-16 units'),
  /** The three sides: whole lines of a long text, else the value of the field. */
  base: z.unknown(),
  current: z.unknown(),
  draft: z.unknown(),
  too_complex: too_complex.optional(),
})

export type Conflict = z.infer<typeof Conflict>

/** A change of a draft that the newer one in its place does not contain. */
export const DroppedChange = z.object({
  field: z.string().describe('Empty for the whole of it'),
  text: z.string().describe('What it would have become, or the lines that are missing'),
})

export type DroppedChange = z.infer<typeof DroppedChange>

/** What the owner decided, as it was requested. A repeated request is the same decision when all of it is the same. */
export const Decision = z.object({
  decision: z.enum(['approve', 'reject', 'review_again']),
  reason: z.string().nullable(),
  fields: z
    .array(z.string())
    .optional()
    .describe('Approved in part: these fields; left out: all. Rejected in part: those that were kept'),
  hunks: z.record(z.string(), z.array(count)).optional().describe('and these hunks of a long text'),
  edited_sha256: z
    .string()
    .optional()
    .describe('Approved with other values, whose hash this is; the successor holds them'),
  choices: z.record(z.string(), Side).optional().describe('The sides chosen, by the index of the conflict'),
})

export type Decision = z.infer<typeof Decision>

/** One change of an entity since a draft of it was made. */
export const ChangeSince = z.object({
  at: time,
  by: actor,
  action: z.string(),
  version: version.nullable(),
  pending_change_id: id.nullable().describe('The draft that was approved, if it was one'),
  /** `null` on both sides of a text that is too long for a list: the history has it. */
  fields: z.array(z.object({ name: z.string(), before: z.unknown(), after: z.unknown(), long: z.boolean() })),
})

export type ChangeSince = z.infer<typeof ChangeSince>

/** What the rows and cards of drafts say of their descent. */
export const succession = {
  derivation: Derivation.describe('How it came to be'),
  supersedes: id.nullable().describe('The draft that it replaces'),
  superseded_by: id.nullable().describe('The draft that replaced it, or that holds the rest of it'),
}

export const ChangeAction = z.enum(['create', 'update', 'delete', 'call'])

export type ChangeAction = z.infer<typeof ChangeAction>

/** Whether approving it makes something new, so that there is no row that it is held against. */
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

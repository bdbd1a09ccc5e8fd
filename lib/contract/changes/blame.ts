// Which change wrote what of a text.

import { z } from 'zod'
import { actor, count, id, time, too_complex, version } from '../scalars.ts'
import { Derivation } from './decision.ts'
import { Provenance } from './provenance.ts'

/** The draft by way of which a change came in. */
export const BlameDraft = z.object({
  pending_change_id: id,
  agent: z.object({ slug: z.string(), name: z.string() }),
  derivation: Derivation.describe('How the draft came to be: `edited` holds words of the owner’s too'),
  approved: z.object({ at: time, by: actor }),
  note: z.string().nullable().describe('The agent’s own words; null for another agent'),
  asked: z
    .string()
    .nullable()
    .describe('What the owner had asked in the turn that made the draft; for the owner'),
  turn: z
    .object({ id, conversation: z.object({ id, title: z.string() }).nullable() })
    .nullable()
    .describe('That made the draft, its conversation unless that was deleted; for the owner'),
  provenance: Provenance.nullable().describe(
    'What the agent had been given when it made the draft; null for another agent',
  ),
})
export type BlameDraft = z.infer<typeof BlameDraft>

/** A change that wrote some of the text. */
export const BlameChange = z.object({
  seq: z.int().describe('Of the audit row'),
  version: version.nullable(),
  at: time,
  actor,
  action: z.string(),
  outside: z.boolean().describe('Whether the words came in from outside, as by an import'),
  draft: BlameDraft.nullable(),
})
export type BlameChange = z.infer<typeof BlameChange>

/** A region of the text that one change wrote. In UTF-16 units, as a string of JavaScript is. */
const BlamePassage = z.object({
  start: count,
  end: count,
  /** The line that it begins in, counted from 1. */
  line: z.int().min(1),
  text: z.string(),
  seq: z
    .int()
    .nullable()
    .describe('The change that wrote it; null: older than the part of the history that was read'),
})

export const Blame = z.object({
  version,
  field: z.string().describe('The field that holds the text'),
  passages: z.array(BlamePassage).describe('In the order of the text, nothing left out'),
  changes: z.array(BlameChange).describe('Each once, the latest first'),
  complete: z
    .boolean()
    .describe('false: some of the text is older than the part of the history that was read'),
  too_complex,
})
export type Blame = z.infer<typeof Blame>

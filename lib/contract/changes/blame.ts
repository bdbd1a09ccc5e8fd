// Blame: the change that wrote each passage of a text.

import { z } from 'zod'
import { actor, count, id, time, too_complex, version } from '../scalars.ts'
import { Derivation } from './decision.ts'
import { Provenance } from './provenance.ts'

/** The draft that a change came from. */
export const BlameDraft = z.object({
  pending_change_id: id,
  agent: z.object({ slug: z.string(), name: z.string() }),
  derivation: Derivation.describe('Derivation of the draft; `edited`: also contains text by the owner'),
  approved: z.object({ at: time, by: actor }),
  note: z.string().nullable().describe('The agent’s note; null for other agents'),
  asked: z
    .string()
    .nullable()
    .describe('The owner’s message in the turn that created the draft; visible only to the owner'),
  turn: z
    .object({ id, conversation: z.object({ id, title: z.string() }).nullable() })
    .nullable()
    .describe(
      'The turn that created the draft; `conversation` is null if it was deleted; visible only to the owner',
    ),
  provenance: Provenance.nullable().describe(
    'Content given to the agent before it created the draft; null for other agents',
  ),
})
export type BlameDraft = z.infer<typeof BlameDraft>

/** A change that wrote a part of the text. */
export const BlameChange = z.object({
  seq: z.int().describe('Sequence number of the audit row'),
  version: version.nullable(),
  at: time,
  actor,
  action: z.string(),
  outside: z.boolean().describe('`true` if the text came from outside, such as from an import'),
  draft: BlameDraft.nullable(),
})
export type BlameChange = z.infer<typeof BlameChange>

/** A region of the text written by one change. Offsets are in UTF-16 code units. */
const BlamePassage = z.object({
  start: count,
  end: count,
  /** First line of the passage, 1-based. */
  line: z.int().min(1),
  text: z.string(),
  seq: z
    .int()
    .nullable()
    .describe('Sequence number of the change that wrote it; null: older than the history that was read'),
})

export const Blame = z.object({
  version,
  field: z.string().describe('Name of the text field'),
  passages: z.array(BlamePassage).describe('All passages, in text order'),
  changes: z.array(BlameChange).describe('Changes that wrote the passages, most recent first'),
  complete: z.boolean().describe('`false` if some of the text is older than the history that was read'),
  too_complex,
})
export type Blame = z.infer<typeof Blame>

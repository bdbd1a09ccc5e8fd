// The card that presents a pending change to a person. The server creates it from the stored payload and the current
// row; only `note` is the agent's own text, which is plain text and labeled as such.

import { z } from 'zod'
import { AgentMark } from '../agents.ts'
import { UndoMark } from '../entities.ts'
import { MemoryChange } from '../memory.ts'
import { actor, count, id, time, version } from '../scalars.ts'
import { ChangeAction, ChangeSince, ChangeStatus, Conflict, succession } from './decision.ts'
import { Provenance, QuoteCheck } from './provenance.ts'
import { DiffPart, LinkChange, sidesOf, TextChange } from './text-change.ts'

export const CardField = z.object({
  name: z.string(),
  /** Display name, such as "Due". */
  label: z.string(),
  /** The card's `operation` tells a `null` value from an absent side. */
  before: z.unknown(),
  after: z.unknown(),
  cut: sidesOf(count)
    .nullable()
    .describe(
      'Number of characters truncated from each side of a very long value; null if both are complete',
    ),
  /** Both sides as display text, such as a status, a date or the title of a reference. `null` for a text: see `text`. */
  words: sidesOf(z.string()).nullable(),
  /** Changes in a text; not used for a short one-line value. */
  text: TextChange.nullable(),
  /** Link changes in a URL field. Those of a text are in its hunks. */
  links: z.array(LinkChange),
  quotes: z
    .array(QuoteCheck)
    .optional()
    .describe('Checks of quotations in a one-line value; those of a text are in its hunks'),
})

export type CardField = z.infer<typeof CardField>

/** A field of a stale draft: how the present value and the draft's differ from the value that the draft was made against. */
const StaleField = z.object({
  name: z.string(),
  label: z.string(),
  /** The places that differ, in order; of a field that is not a text there is one. */
  places: z.array(
    z.object({
      current: z.array(DiffPart).describe('From the value at `base_version` to the present one'),
      draft: z.array(DiffPart).describe('From the value at `base_version` to the drafted one'),
    }),
  ),
  more: count.describe('Number of places not listed'),
})

export type StaleField = z.infer<typeof StaleField>

/** Set if the entity was changed since the draft was created, or no longer exists (`current_version` null). */
const Stale = z.object({
  base_version: version,
  current_version: version.nullable(),
  since: z
    .array(ChangeSince)
    .optional()
    .describe('Changes since the draft was created, most recent first; omitted in card lines'),
  fields: z
    .array(StaleField)
    .optional()
    .describe(
      'Comparison of the draft with what changed, in GET /api/pending-changes/:id; absent where it cannot be made',
    ),
})

export const RoutineName = z
  .object({ id, name: z.string() })
  .nullable()
  .describe('The routine whose run made it; null: none')

/** A card in a list, without the proposed field changes. */
export const CardLine = z.object({
  pending_change_id: id,
  changeset_id: id,
  operation: ChangeAction,
  entity_type: z.string(),
  entity_id: id,
  title: z.string(),
  space: z.object({ id, name: z.string() }),
  summary: z.string().describe('One-line, server-generated description of what approving does'),
  payload_sha256: z.string().describe('SHA-256 of the payload shown; must be sent with the decision'),
  status: ChangeStatus,
  stale: Stale.nullable(),
  ...succession,
  agent: AgentMark,
  routine: RoutineName,
  created_at: time,
  decided: z
    .object({ at: time, by: actor, reason: z.string().nullable() })
    .nullable()
    .describe('The decision; null while pending; `by` is empty if there was no decision maker'),
  undone: UndoMark.nullable().describe(
    'The undo that reverted the approved change; null if that undo was itself undone',
  ),
})

export type CardLine = z.infer<typeof CardLine>

export const WarningCode = z.enum([
  'link_changed',
  'link_disguised',
  'unsafe_link',
  'remote_image',
  'raw_html',
  'hidden_characters',
  'mixed_script',
  'large_deletion',
  'white_space_only',
  'has_backlinks',
  'rewrites_links',
  'has_children',
  'repeats',
  'edited_lately',
  'quote_unfaithful',
  'untrusted_sources',
  'outside_orders',
  'drops_earlier',
  'too_complex',
  'outside_call',
])

/** A warning about a change. Determined by rules from the payload and the rows, never by a model. */
export const CardWarning = z.object({
  code: WarningCode,
  /** A plain sentence. Hidden characters in text quoted from the draft are escaped, such as `[U+202E]`. */
  message: z.string(),
  /** Field that the warning is about; `null` for the change as a whole. */
  field: z.string().nullable(),
  hunk: count.nullable(),
})

/** Execution of an approved outside tool call. A call is made at most once. */
export const CallRun = z.object({
  state: z
    .enum(['approved', 'running', 'done', 'failed', 'unknown'])
    .describe('unknown: the call was sent but its effect is unknown; it is not sent again'),
  error: z.string().nullable(),
  result_id: id.nullable().describe('Id of the tool result, available at GET /api/tool-results/:id'),
  started_at: time.nullable(),
  ended_at: time.nullable(),
})

/** Delivery of an approved reply. It is saved to a Drafts folder at most once, and never sent. */
export const ReplyDelivery = z.object({
  state: z
    .enum(['waiting', 'delivered', 'file', 'failed', 'unknown'])
    .describe(
      'delivered: in the Drafts folder; file: available only as a file in Void; unknown: the connection was lost during delivery, and the reply has not been found in the folder since',
    ),
  error: z.string().nullable(),
  folder: z.string().nullable().describe('Name of the Drafts folder'),
  ended_at: time.nullable(),
})

export const Card = CardLine.extend({
  fields: z.array(CardField),
  defaults: z
    .array(z.object({ name: z.string(), label: z.string(), value: z.unknown(), words: z.string() }))
    .describe('Default values that a new entity gets for fields not set by the draft'),
  warnings: z.array(CardWarning).describe('Warnings determined by rules, never by a model'),
  conflicts: z.array(Conflict).describe('Merge conflicts; approving requires a choice for each'),
  provenance: Provenance,
  folded: z
    .boolean()
    .describe('`true` if parts are omitted, with counts in their place; ?whole=true returns them'),
  references: z.record(z.string(), z.string()).describe('Titles of referenced entities, by id'),
  call: CallRun.nullable().describe('Execution of an approved outside tool call'),
  reply: ReplyDelivery.nullable().describe('Delivery of an approved reply'),
  memory: z
    .array(MemoryChange)
    .optional()
    .describe('Lines that a draft of a memory page changes. Default: the draft is of something else'),
  memory_scope: z
    .literal('all_spaces')
    .optional()
    .describe('The lines are for all Spaces. Default: for the Space of the draft'),
  note: z.string().describe('The agent’s note, plain text'),
})

export type Card = z.infer<typeof Card>

export type WarningCode = z.infer<typeof WarningCode>

export type CardWarning = z.infer<typeof CardWarning>

export type CallRun = z.infer<typeof CallRun>

export type ReplyDelivery = z.infer<typeof ReplyDelivery>

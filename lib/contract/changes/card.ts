// What a person is shown of a pending change. Created by the server from the stored payload and the current row; no
// word of it is the agent's but `note`, which is plain text and says whose it is.

import { z } from 'zod'
import { AgentMark } from '../agents.ts'
import { UndoMark } from '../entities.ts'
import { actor, count, id, time, version } from '../scalars.ts'
import { ChangeAction, ChangeSince, ChangeStatus, Conflict, succession } from './decision.ts'
import { Provenance, QuoteCheck } from './provenance.ts'
import { LinkChange, sidesOf, TextChange } from './text-change.ts'

export const CardField = z.object({
  name: z.string(),
  /** The name for a person: "Due". */
  label: z.string(),
  /** `null` as a value and an absent side are told apart by the card's `operation`. */
  before: z.unknown(),
  after: z.unknown(),
  cut: sidesOf(count)
    .nullable()
    .describe('Characters left out at the end of a very long value; null when both sides are whole'),
  /** Both sides in words: a status, a day, the title of a reference. `null` for a text, which `text` describes. */
  words: sidesOf(z.string()).nullable(),
  /** For a text, a short one-line value aside: what changes in it. */
  text: TextChange.nullable(),
  /** For a field that holds an address: where it led and where it leads. Those of a text are in its hunks. */
  links: z.array(LinkChange),
  quotes: z
    .array(QuoteCheck)
    .optional()
    .describe('Quotations in a one-line value; those of a text are in its hunks'),
})

export type CardField = z.infer<typeof CardField>

/** Set when the entity was changed since the draft was made, or is gone (`current_version` null). */
const Stale = z.object({
  base_version: version,
  current_version: version.nullable(),
  since: z
    .array(ChangeSince)
    .optional()
    .describe('What happened meanwhile, the latest first; left out where only a line is shown'),
})

/** A card in a list: all of it but what it would change. */
export const CardLine = z.object({
  pending_change_id: id,
  changeset_id: id,
  operation: ChangeAction,
  entity_type: z.string(),
  entity_id: id,
  title: z.string(),
  space: z.object({ id, name: z.string() }),
  summary: z.string().describe('One plain line, in the server’s words: what approving does'),
  payload_sha256: z
    .string()
    .describe('The hash of the payload that this was made from; sent back with the decision'),
  status: ChangeStatus,
  stale: Stale.nullable(),
  ...succession,
  agent: AgentMark,
  created_at: time,
  decided: z
    .object({ at: time, by: actor, reason: z.string().nullable() })
    .nullable()
    .describe('null while it waits; `by` is empty where nobody decided'),
  undone: UndoMark.nullable().describe(
    'The undo that reverted what was approved, unless that was undone too',
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

/** What deserves a second look. Found by rules in the payload and the rows, never by a model. */
export const CardWarning = z.object({
  code: WarningCode,
  /** A plain sentence. What it quotes of the draft has its hidden characters written out, as `[U+202E]`. */
  message: z.string(),
  /** Where; `null` for the change as a whole. */
  field: z.string().nullable(),
  hunk: count.nullable(),
})

/** How an approved call of an outside tool went. It is made once at most. */
export const CallRun = z.object({
  state: z
    .enum(['approved', 'running', 'done', 'failed', 'unknown'])
    .describe('unknown: it was sent, and nobody knows whether it took effect; it is not sent again'),
  error: z.string().nullable(),
  result_id: id.nullable().describe('What the tool answered: GET /api/tool-results/:id'),
  started_at: time.nullable(),
  ended_at: time.nullable(),
})

/** Where an approved reply is. It is put into a Drafts folder once at most, and never sent. */
export const ReplyDelivery = z.object({
  state: z
    .enum(['waiting', 'delivered', 'file', 'failed', 'unknown'])
    .describe(
      'delivered: in the Drafts folder; file: only here, as a file; unknown: the connection was lost while it was put there, and it was not found there since',
    ),
  error: z.string().nullable(),
  folder: z.string().nullable().describe('The Drafts folder'),
  ended_at: time.nullable(),
})

export const Card = CardLine.extend({
  fields: z.array(CardField),
  defaults: z
    .array(z.object({ name: z.string(), label: z.string(), value: z.unknown(), words: z.string() }))
    .describe('What a new one also gets, because the draft leaves it out'),
  warnings: z.array(CardWarning).describe('Found by rules, never by a model'),
  conflicts: z.array(Conflict).describe('What a merge left to the owner: approving needs a choice for each'),
  provenance: Provenance,
  folded: z
    .boolean()
    .describe('Whether parts are left out, each counted where it would be; ?whole=true returns them'),
  references: z.record(z.string(), z.string()).describe('Titles of what the fields refer to, by id'),
  call: CallRun.nullable().describe('For an approved call of an outside tool: how it went'),
  reply: ReplyDelivery.nullable().describe('For an approved reply: where it is'),
  note: z.string().describe('The agent’s own words, plain text'),
})

export type Card = z.infer<typeof Card>

export type WarningCode = z.infer<typeof WarningCode>

export type CardWarning = z.infer<typeof CardWarning>

export type CallRun = z.infer<typeof CallRun>

export type ReplyDelivery = z.infer<typeof ReplyDelivery>

// The glance: requests, decisions and settings.

import { z } from 'zod'
import { cleanLine } from '../../core/text/clean.ts'
import { count, id, time } from '../scalars.ts'
import { ViewedEntity } from './open-desk.ts'

export const GlanceMode = z
  .enum(['off', 'shadow', 'live'])
  .describe('shadow: records decisions without showing them')
export type GlanceMode = z.infer<typeof GlanceMode>

const ShownMode = GlanceMode.exclude(['off'])

/** The open page, task or thread, or a list. */
export const GlanceView = z.union([ViewedEntity, z.strictObject({ list: z.enum(['mail', 'tasks']) })])
export type GlanceView = z.infer<typeof GlanceView>

/** Maximum size of an image, in bytes. */
export const maxImageBytes = 5_000_000

export const GlanceImage = z.strictObject({
  media_type: z.enum(['image/png', 'image/jpeg']),
  data: z
    .base64()
    .max(Math.ceil(maxImageBytes / 3) * 4)
    .describe('Image as base64, at most 5 MB decoded; evaluated but not stored'),
})
export type GlanceImage = z.infer<typeof GlanceImage>

export const GlanceRequest = z.strictObject({
  view: GlanceView.optional(),
  image: GlanceImage.optional().describe('Image of another window, evaluated instead of the view'),
  mode: ShownMode.optional().describe(
    'Mode for a Space where none has been chosen; otherwise it can only turn live into shadow',
  ),
  typing: z
    .boolean()
    .default(false)
    .describe('`true` while the owner is typing; nothing is evaluated then. Default: `false`'),
})
export type GlanceRequest = z.infer<typeof GlanceRequest>

export const GlanceReason = z.enum([
  // Surfaced
  'shown',
  'shadow',
  // By rules, before any model call
  'off',
  'turned_off',
  'offline',
  'nothing_to_see',
  'nothing_open',
  'snoozed',
  'typing',
  'turn_running',
  'busy',
  'too_soon',
  'nudges_spent',
  'evaluations_spent',
  'tokens_spent',
  'seen_before',
  'no_mail_on_screen',
  // By rules about a thread, before any model call or after the analyst
  'automated',
  'handled',
  'nothing_asked',
  'not_addressed',
  'sender_unclear',
  'gives_orders',
  'ambiguous',
  'muted',
  // By the triage model
  'triage_silent',
  'triage_malformed',
  'triage_failed',
  'not_legible',
  'no_query',
  // By the analyst, or by checks of its message
  'analyst_silent',
  'analyst_undecided',
  'analyst_failed',
  'timed_out',
  'no_message',
  'bad_message',
  'no_match',
  'other_thread',
  'not_grounded',
  'interrupted',
  'failed',
])
export type GlanceReason = z.infer<typeof GlanceReason>

export const GlanceStage = z.enum(['code', 'triage', 'analyst'])
export type GlanceStage = z.infer<typeof GlanceStage>

/** What a mail asks of the owner. `reply`: recorded by an earlier release. */
export const GlanceKind = z.enum(['question', 'request', 'deadline', 'decision', 'reply'])
export type GlanceKind = z.infer<typeof GlanceKind>

const GlanceEvidence = z.object({
  thread_id: id,
  message_id: id,
  quote: z.string().describe('Quotation from the message'),
})

const decided = {
  stage: GlanceStage,
  reason: GlanceReason,
  evidence: z.array(GlanceEvidence),
}

/** Response to a glance request. */
export const GlanceDecision = z.object({
  id: id.nullable().describe('Id of the recorded glance; null: not recorded'),
  surface: z.boolean().describe('`true` if the message should be shown'),
  message: z
    .string()
    .optional()
    .describe('Message of the nudge; with `surface` false, the message that would have been shown'),
  action_prompt: z
    .string()
    .optional()
    .describe('Text for the composer, made by Void from the sender, the subject and the ask'),
  ...decided,
})
export type GlanceDecision = z.infer<typeof GlanceDecision>

export const GlanceVerdict = z.enum(['useful', 'noise', 'dismissed'])
export type GlanceVerdict = z.infer<typeof GlanceVerdict>

export const Glance = z.object({
  id,
  space_id: id,
  source: z.enum(['view', 'mail', 'image']),
  mode: ShownMode,
  title: z.string().describe('Title of the evaluated view'),
  nudge: z.boolean().describe('`true` if it surfaced a message, or would have in shadow mode'),
  evaluated: z.boolean().describe('`true` if a model was called'),
  ...decided,
  kind: GlanceKind.nullable(),
  sender: z.string().nullable().describe('Address of the mail’s sender'),
  thread_id: id.nullable(),
  message: z.string().nullable(),
  note: z.string().nullable().describe('Sentence of the model, recorded and never shown as the message'),
  action_prompt: z
    .string()
    .nullable()
    .describe('Text for the composer; a message that begins with it names the nudge as its `glance`'),
  tools: z.array(z.string()).describe('Tools called by the analyst'),
  tokens: count,
  cost: z
    .number()
    .nullable()
    .describe('Cost in US dollars; null: the model has no price, or no model was called'),
  duration_ms: count,
  verdict: GlanceVerdict.nullable(),
  judged_at: time.nullable(),
  created_at: time,
})
export type Glance = z.infer<typeof Glance>

export const GlanceMute = z.strictObject({
  type: z.enum(['sender', 'kind']),
  value: z
    .string()
    .overwrite(cleanLine)
    .min(1)
    .max(320)
    .describe('A sender address, or a nudge kind: question, request, deadline or decision'),
})
export type GlanceMute = z.infer<typeof GlanceMute>

const GlanceDay = z.object({
  day: z.iso.date(),
  nudges: count,
  evaluations: count.describe('Number of evaluations that called a model'),
  avoided: count.describe('Number of evaluations ended by rules before any model call'),
  tokens: count,
  cost: z.number().nullable(),
})

/** Statistics over the stored glances. */
const GlanceScore = z.object({
  judged: count.describe('Number of nudges with a verdict'),
  false_alarms: z
    .number()
    .nullable()
    .describe('Share of judged nudges that were noise; null: none was judged'),
  restraint: z.number().nullable().describe('Share of evaluations without a nudge; null: no evaluations'),
  ready: z
    .boolean()
    .describe(
      '`true` if live mode can be offered: at least 20 judged, at most 10 % false alarms and at least 70 % restraint',
    ),
})

export const GlanceSettings = z.object({
  space_id: id,
  mode: GlanceMode,
  snoozed_until: time.nullable(),
  nudges_per_day: count,
  evaluations_per_day: count,
  muted: z.array(GlanceMute),
  turned_off_at: time.nullable().describe('Time it turned itself off, after ten consecutive unused nudges'),
  unavailable: z.string().nullable().describe('Reason it is unavailable; null: available'),
  score: GlanceScore,
  days: z.array(GlanceDay).describe('The last 14 days, today last'),
})
export type GlanceSettings = z.infer<typeof GlanceSettings>

export const GlanceSettingsChange = z.strictObject({
  mode: GlanceMode.optional(),
  snoozed_until: time.nullable().optional().describe('End of the snooze; null: not snoozed'),
  nudges_per_day: z.int().min(0).max(5).optional(),
  evaluations_per_day: z.int().min(0).max(40).optional(),
  mute: GlanceMute.optional().describe('Sender or kind to mute'),
  unmute: GlanceMute.optional(),
})
export type GlanceSettingsChange = z.infer<typeof GlanceSettingsChange>

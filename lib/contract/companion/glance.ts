// The glance: what is looked at, what it decided, and what the owner has set.

import { z } from 'zod'
import { cleanLine } from '../../core/text/clean.ts'
import { count, id, time } from '../scalars.ts'
import { ViewedEntity } from './open-desk.ts'

export const GlanceMode = z
  .enum(['off', 'shadow', 'live'])
  .describe('shadow: decides and records, and shows nothing')
export type GlanceMode = z.infer<typeof GlanceMode>

const ShownMode = GlanceMode.exclude(['off'])

/** The page, task or thread that is open, or a list. */
export const GlanceView = z.union([ViewedEntity, z.strictObject({ list: z.enum(['mail', 'tasks']) })])
export type GlanceView = z.infer<typeof GlanceView>

/** Bytes of a picture. */
export const maxImageBytes = 5_000_000

export const GlanceImage = z.strictObject({
  media_type: z.enum(['image/png', 'image/jpeg']),
  data: z
    .base64()
    .max(Math.ceil(maxImageBytes / 3) * 4)
    .describe('Base64, of at most 5 MB; looked at and not stored'),
})
export type GlanceImage = z.infer<typeof GlanceImage>

export const GlanceRequest = z.strictObject({
  view: GlanceView.optional(),
  image: GlanceImage.optional().describe('A picture of another window, looked at in place of the view'),
  mode: ShownMode.optional().describe(
    'In place of the mode of a Space for which none was ever chosen; else it can only make live shadow',
  ),
  typing: z.boolean().default(false).describe('Whether the owner is writing: nothing is looked at then'),
})
export type GlanceRequest = z.infer<typeof GlanceRequest>

export const GlanceReason = z.enum([
  // Spoken
  'shown',
  'shadow',
  // By code, before any model
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
  // Of a thread, by code, before any model or after the analyst
  'automated',
  'handled',
  'nothing_asked',
  'not_addressed',
  'sender_unclear',
  'gives_orders',
  'ambiguous',
  'muted',
  // Of the triage
  'triage_silent',
  'triage_malformed',
  'triage_failed',
  'not_legible',
  'no_query',
  // Of the analyst, and of what it would say
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

/** What a nudge is about: `deadline` where the mail names a day by which. */
export const GlanceKind = z.enum(['reply', 'deadline'])
export type GlanceKind = z.infer<typeof GlanceKind>

const GlanceEvidence = z.object({
  thread_id: id,
  message_id: id,
  quote: z.string().describe('Words of that message'),
})

const decided = {
  stage: GlanceStage,
  reason: GlanceReason,
  evidence: z.array(GlanceEvidence),
}

/** What a request is answered with. */
export const GlanceDecision = z.object({
  id: id.nullable().describe('Of the entry in the list; null: nothing was recorded'),
  surface: z.boolean().describe('Whether to show the message'),
  message: z.string().optional().describe('With surface false: what would have been said'),
  action_prompt: z.string().optional(),
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
  title: z.string().describe('Of what was looked at'),
  nudge: z.boolean().describe('Whether it spoke; in shadow mode: whether it would have'),
  evaluated: z.boolean().describe('Whether a model was called'),
  ...decided,
  kind: GlanceKind.nullable(),
  sender: z.string().nullable().describe('The address of who wrote the mail'),
  thread_id: id.nullable(),
  message: z.string().nullable(),
  action_prompt: z.string().nullable(),
  tools: z.array(z.string()).describe('What the analyst called'),
  tokens: count,
  cost: z.number().nullable().describe('In US dollars; null: the model has no price, or none was called'),
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
    .describe('An address, or the kind of a nudge: reply or deadline'),
})
export type GlanceMute = z.infer<typeof GlanceMute>

const GlanceDay = z.object({
  day: z.iso.date(),
  nudges: count,
  evaluations: count.describe('Those for which a model was called'),
  avoided: count.describe('Those that code ended before any model'),
  tokens: count,
  cost: z.number().nullable(),
})

/** How it did, over what is stored. */
const GlanceScore = z.object({
  judged: count.describe('Nudges with a verdict'),
  false_alarms: z.number().nullable().describe('The share of noise among them; null: none was judged'),
  restraint: z
    .number()
    .nullable()
    .describe('The share of looks that ended in silence; null: there were none'),
  ready: z
    .boolean()
    .describe(
      'At least 20 judged, at most 10 % false alarms and at least 70 % restraint: live mode is offered',
    ),
})

export const GlanceSettings = z.object({
  space_id: id,
  mode: GlanceMode,
  snoozed_until: time.nullable(),
  nudges_per_day: count,
  evaluations_per_day: count,
  muted: z.array(GlanceMute),
  turned_off_at: time
    .nullable()
    .describe('When it turned itself off, after ten nudges in a row were not used'),
  unavailable: z.string().nullable().describe('Why it cannot look at anything now; null: it can'),
  score: GlanceScore,
  days: z.array(GlanceDay).describe('The last fourteen, today last'),
})
export type GlanceSettings = z.infer<typeof GlanceSettings>

export const GlanceSettingsChange = z.strictObject({
  mode: GlanceMode.optional(),
  snoozed_until: time.nullable().optional().describe('Until when it is silent; null: no longer'),
  nudges_per_day: z.int().min(0).max(5).optional(),
  evaluations_per_day: z.int().min(0).max(40).optional(),
  mute: GlanceMute.optional().describe('Never speak for this sender, or of this kind'),
  unmute: GlanceMute.optional(),
})
export type GlanceSettingsChange = z.infer<typeof GlanceSettingsChange>

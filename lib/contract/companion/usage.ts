// Token usage and cost of models.

import { z } from 'zod'
import { Usage } from '../events/events.ts'
import { count, id, time } from '../scalars.ts'

/** Purpose of a model call: an answer, or a background task. */
export const CallPurpose = z.enum(['answer', 'routing', 'naming', 'summary', 'test', 'glance'])
export type CallPurpose = z.infer<typeof CallPurpose>

export const UsageGrouping = z.enum(['day', 'agent', 'model', 'conversation', 'turn', 'purpose'])
export type UsageGrouping = z.infer<typeof UsageGrouping>

export const UsageSum = Usage.extend({
  count: count.describe('Number of answers and background calls'),
  tokens: count.describe('Sum of all four token counts'),
  cost: z
    .number()
    .nullable()
    .describe('Cost in US dollars at current prices; null: no model in this group has a price'),
  unpriced_tokens: count.describe('Tokens of models without a price, not included in `cost`'),
  duration_ms: count.describe('Total duration in milliseconds, including tools'),
})
export type UsageSum = z.infer<typeof UsageSum>

export const UsageItem = UsageSum.extend({
  key: z
    .string()
    .describe(
      'Group key: a day as YYYY-MM-DD, a slug, a model name, an id or a purpose; empty for usage that belongs to no group',
    ),
  label: z.string().describe('Display name of the group, such as an agent’s name or a conversation’s title'),
  conversation_id: id
    .nullable()
    .describe('Conversation id when grouped by conversation or turn; null if it no longer exists'),
  space_id: id.nullable(),
})
export type UsageItem = z.infer<typeof UsageItem>

export const Budget = z.object({
  daily_tokens: count.nullable().describe('Daily token limit; null: unlimited'),
  /** Source of the limit. */
  set_by: z.enum(['configuration', 'owner']),
  used_tokens: count.describe('Tokens used since midnight, including running turns'),
  resets_at: time.describe('Next midnight in `time_zone`'),
  time_zone: z.string().describe('The owner’s time zone; defines day boundaries'),
})
export type Budget = z.infer<typeof Budget>

export const UsageReport = z.object({
  by: UsageGrouping,
  from: z.iso.date(),
  to: z.iso.date().describe('Last day, inclusive'),
  items: z.array(UsageItem),
  next_cursor: z.string().nullable(),
  total: UsageSum,
  budget: Budget,
  prices_as_of: z.iso.date().describe('Date of the list prices'),
})
export type UsageReport = z.infer<typeof UsageReport>

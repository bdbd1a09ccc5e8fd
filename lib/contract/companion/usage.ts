// What models used and cost.

import { z } from 'zod'
import { Usage } from '../events/events.ts'
import { count, id, time } from '../scalars.ts'

/** What a model was called for: an answer, or what goes on beside the answers. */
export const CallPurpose = z.enum(['answer', 'routing', 'naming', 'summary', 'test', 'glance'])
export type CallPurpose = z.infer<typeof CallPurpose>

export const UsageGrouping = z.enum(['day', 'agent', 'model', 'conversation', 'turn', 'purpose'])
export type UsageGrouping = z.infer<typeof UsageGrouping>

export const UsageSum = Usage.extend({
  count: count.describe('Answers, and calls beside them'),
  tokens: count.describe('All four kinds together'),
  cost: z.number().nullable().describe('In US dollars, at the current prices; null: no model in it has one'),
  unpriced_tokens: count.describe('Of models without a price, left out of `cost`'),
  duration_ms: count.describe('From the beginning to the end, tools included'),
})
export type UsageSum = z.infer<typeof UsageSum>

export const UsageItem = UsageSum.extend({
  key: z
    .string()
    .describe(
      'A day as YYYY-MM-DD, a slug, a model’s name, an id or a purpose; empty for what belongs to none',
    ),
  label: z.string().describe('The same for people: an agent’s name, a conversation’s title'),
  conversation_id: id.nullable().describe('Of a conversation or a turn; null where it is gone'),
  space_id: id.nullable(),
})
export type UsageItem = z.infer<typeof UsageItem>

export const Budget = z.object({
  daily_tokens: count.nullable().describe('Tokens that may be used in a day; null: any number'),
  /** Where that comes from. */
  set_by: z.enum(['configuration', 'owner']),
  used_tokens: count.describe('Since midnight, with what still runs'),
  resets_at: time.describe('The next midnight'),
  time_zone: z.string().describe('Of the server: what a day is'),
})
export type Budget = z.infer<typeof Budget>

export const UsageReport = z.object({
  by: UsageGrouping,
  from: z.iso.date(),
  to: z.iso.date().describe('The last day, included'),
  items: z.array(UsageItem),
  next_cursor: z.string().nullable(),
  total: UsageSum,
  budget: Budget,
  prices_as_of: z.iso.date().describe('The day as of which the list prices hold'),
})
export type UsageReport = z.infer<typeof UsageReport>

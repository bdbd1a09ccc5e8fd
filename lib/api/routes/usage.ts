import { z } from 'zod'
import type { Budget, UsageItem, UsageReport, UsageSum } from '../../contract/usage.ts'
import { invalid } from '../../errors.ts'
import { dayOf, midnight, startOf } from '../../usage/days.ts'
import { pricesAsOf } from '../../usage/prices.ts'
import { reportUsage } from '../../usage/report.ts'
import { route } from '../route.ts'
import { id } from '../schemas.ts'

const groupings = ['day', 'agent', 'model', 'conversation', 'turn', 'purpose'] as const

const tokens = z.int().min(0)

const sum = z.object({
  count: z.int().describe('Answers, and calls beside them'),
  tokens: tokens.describe('All four kinds together'),
  input_tokens: tokens,
  output_tokens: tokens,
  cache_creation_input_tokens: tokens,
  cache_read_input_tokens: tokens,
  cost: z
    .number()
    .nullable()
    .describe('In US dollars, as the prices stand now; null: no model in it has one'),
  unpriced_tokens: tokens.describe('Of models without a price, left out of `cost`'),
  duration_ms: z.int(),
}) satisfies z.ZodType<UsageSum>

const item = sum.extend({
  key: z.string().describe('A day, slug, model, id or purpose; empty for what belongs to none'),
  label: z.string(),
  conversation_id: id.nullable(),
  space_id: id.nullable(),
}) satisfies z.ZodType<UsageItem>

const budget = z.object({
  daily_tokens: z.int().nullable().describe('null: any number'),
  set_by: z.enum(['configuration', 'owner']),
  used_tokens: tokens.describe('Since midnight, with what still runs'),
  resets_at: z.iso.datetime(),
  time_zone: z.string().describe('Of the server: what a day is'),
}) satisfies z.ZodType<Budget>

const report = z.object({
  by: z.enum(groupings),
  from: z.string(),
  to: z.string(),
  items: z.array(item),
  next_cursor: z.string().nullable(),
  total: sum,
  budget,
  prices_as_of: z.string(),
}) satisfies z.ZodType<UsageReport>

const day = z.iso.date()
const mostDays = 366
const usualDays = 30

export const usageRoutes = [
  route({
    method: 'get',
    path: '/api/usage',
    access: 'owner',
    summary: 'What models used and cost, by day, agent, model, conversation, turn or purpose',
    query: z.object({
      by: z.enum(groupings).default('day'),
      from: day.optional().describe('The first day; 30 days up to `to` when left out'),
      to: day.optional().describe('The last day; today when left out'),
      space_id: id.optional(),
      agent: z.string().max(80).optional().describe('Its slug'),
      model: z.string().max(200).optional(),
      conversation_id: id.optional(),
      turn_id: id.optional(),
      cursor: z.coerce.number().int().min(0).default(0).describe('The next_cursor of the page before'),
      limit: z.coerce.number().int().min(1).max(500).default(100),
    }),
    answers: { 200: report },
    async handle({ database, budget, prices, now }, { query }) {
      const { by, space_id, agent, model, conversation_id, turn_id, cursor, limit } = query
      const last = query.to ? startOf(query.to) : midnight(now())
      const from = query.from ? startOf(query.from) : midnight(last, 1 - usualDays)
      if (from > last) throw invalid('from: the first day comes after the last.')
      if (midnight(from, mostDays) <= last) throw invalid(`from: at most ${mostDays} days can be asked for.`)
      const filter = {
        from,
        until: midnight(last, 1),
        space_id: space_id ?? null,
        agent: agent ?? null,
        model: model ?? null,
        conversation_id: conversation_id ?? null,
        turn_id: turn_id ?? null,
      }
      const { items, total } = await reportUsage(database, { by, filter, prices })
      // A year has its days on one page.
      const end = by === 'day' ? items.length : cursor + limit
      return {
        body: {
          by,
          from: dayOf(from),
          to: dayOf(last),
          items: items.slice(by === 'day' ? 0 : cursor, end),
          next_cursor: end < items.length ? String(end) : null,
          total,
          budget: await budget.state(),
          prices_as_of: pricesAsOf,
        },
      }
    },
  }),

  route({
    method: 'patch',
    path: '/api/usage/budget',
    access: 'owner',
    summary: 'Set how many tokens may be used in a day',
    body: z.strictObject({
      daily_tokens: z
        .int()
        .min(0)
        .max(1e12)
        .nullable()
        .describe('0: any number; null: as the configuration has it'),
    }),
    answers: { 200: budget },
    async handle({ budget }, { body }) {
      return { body: await budget.set(body.daily_tokens) }
    },
  }),
]

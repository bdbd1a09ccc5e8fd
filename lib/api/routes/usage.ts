import { z } from 'zod'
import { loadUsagePage } from '../../ai/usage/usage-page.ts'
import { Budget, UsageGrouping, UsageReport } from '../../contract/companion/usage.ts'
import { id } from '../../contract/scalars.ts'
import { route } from '../route.ts'

const day = z.iso.date()

export const usageRoutes = [
  route({
    method: 'get',
    path: '/api/usage',
    access: 'owner',
    summary: 'What models used and cost, by day, agent, model, conversation, turn or purpose',
    query: z.object({
      by: UsageGrouping.default('day'),
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
    answers: { 200: UsageReport },
    async handle({ database, ai, server }, { query }) {
      const { space_id = null, agent = null, model = null, conversation_id = null, turn_id = null } = query
      const { by, from, to, cursor, limit } = query
      const narrowed = { space_id, agent, model, conversation_id, turn_id }
      const parts = { database, budget: ai.budget, prices: ai.prices, now: server.now }
      return { body: await loadUsagePage(parts, { by, from, to, cursor, limit, ...narrowed }) }
    },
  }),

  route({
    method: 'patch',
    path: '/api/usage/budget',
    access: 'owner',
    summary: 'Set the daily token budget',
    body: z.strictObject({
      daily_tokens: z
        .int()
        .min(0)
        .max(1e12)
        .nullable()
        .describe('0: any number; null: as the configuration has it'),
    }),
    answers: { 200: Budget },
    async handle({ ai: { budget } }, { body }) {
      return { body: await budget.set(body.daily_tokens) }
    },
  }),
]

// The trial of a model: ten tasks with the connected one, for its owner.

import { z } from 'zod'
import { Usage } from '../events/events.ts'
import { count } from '../scalars.ts'

const cost = z.number().nullable().describe('US dollars; null: the price is unknown')

/** Estimate of a trial of the connected model, for the owner's consent. */
export const TrialPlan = z.object({
  model: z.string(),
  tasks: count,
  input_tokens: count.describe('About as many tokens are sent'),
  output_tokens: count,
  cost,
})
export type TrialPlan = z.infer<typeof TrialPlan>

/** Result of a trial. */
const TrialResult = z.object({
  model: z.string(),
  sentences: z.array(z.string()).describe('What the model can and cannot do'),
  tasks: z.array(
    z.object({ say: z.string().describe('What was asked'), done: z.boolean(), reasons: z.array(z.string()) }),
  ),
  usage: Usage,
  cost,
  duration_ms: count,
})
export type TrialResult = z.infer<typeof TrialResult>

/** Progress of a trial, and its end. */
export const TrialEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('task'),
    data: z.object({ done: count, of: count, next: z.string().nullable().describe('What is asked next') }),
  }),
  z.object({ type: z.literal('result'), data: TrialResult }),
  z.object({ type: z.literal('error'), data: z.object({ code: z.string(), message: z.string() }) }),
])
export type TrialEvent = z.infer<typeof TrialEvent>

// What a repeated run found otherwise than the run before it.

import { z } from 'zod'
import { ResearchVerdict } from './research.ts'
import { count, id } from './scalars.ts'

export const ResearchPassageChange = z.object({
  change: z.enum(['changed', 'gone', 'new']).describe('`gone`: it was not found again'),
  n: z.string().nullable().describe('Its number in this run; null: gone'),
  previous_n: z.string().nullable().describe('Its number in the run before; null: new'),
  entity_type: z.string(),
  entity_id: id,
  title: z.string(),
})
export type ResearchPassageChange = z.infer<typeof ResearchPassageChange>

/**
 * Of a claim of the run before. `stale`: it lost support, and a passage that it cited has changed or is gone;
 * `lost_support`: its passages are as they were. `contradicted`: a passage says otherwise now. `dropped`: as well
 * supported as before, but not said again. `unchecked`: nobody could say. `new`: a claim of this run alone.
 */
export const ResearchClaimChangeKind = z.enum([
  'contradicted',
  'stale',
  'lost_support',
  'gained_support',
  'unchecked',
  'new',
  'dropped',
  'same',
])
export type ResearchClaimChangeKind = z.infer<typeof ResearchClaimChangeKind>

export const ResearchClaimChange = z.object({
  change: ResearchClaimChangeKind,
  id: z.string().nullable().describe('In this run; null: it does not say so again'),
  previous_id: z.string().nullable().describe('In the run before; null: new'),
  text: z.string().describe('As the newer of the two runs has it'),
  previous_text: z.string().nullable().describe('As the run before had it, where that is worded otherwise'),
  verdict: ResearchVerdict.describe('By the passages of this run, whether or not it says so again'),
  previous_verdict: ResearchVerdict.nullable(),
  reasons: z.array(z.string()),
})
export type ResearchClaimChange = z.infer<typeof ResearchClaimChange>

export const ResearchComparison = z.object({
  run_id: id,
  previous_id: id,
  passages: z.object({
    same: count,
    changed: count,
    gone: count,
    new: count,
    items: z.array(ResearchPassageChange).describe('All but those that are the same'),
  }),
  claims: z.array(ResearchClaimChange).describe('What needs to be looked at first'),
})
export type ResearchComparison = z.infer<typeof ResearchComparison>

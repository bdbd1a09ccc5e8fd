// Differences between a repeated research run and the previous run.

import { z } from 'zod'
import { ResearchVerdict } from './research.ts'
import { count, id } from './scalars.ts'

export const ResearchPassageChange = z.object({
  change: z.enum(['changed', 'gone', 'new']).describe('Change of a passage; `gone`: not found again'),
  n: z.string().nullable().describe('Ledger number in this run; null: gone'),
  previous_n: z.string().nullable().describe('Ledger number in the previous run; null: new'),
  entity_type: z.string(),
  entity_id: id,
  title: z.string(),
})
export type ResearchPassageChange = z.infer<typeof ResearchPassageChange>

/**
 * Change of a claim since the previous run. `stale`: it lost support, and a cited passage has changed or is gone;
 * `lost_support`: it lost support although its passages are unchanged. `contradicted`: a passage now contradicts it.
 * `dropped`: still as well supported, but not repeated. `unchecked`: could not be verified. `new`: only in this run.
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
  id: z.string().nullable().describe('Claim id in this run; null: not repeated'),
  previous_id: z.string().nullable().describe('Claim id in the previous run; null: new'),
  text: z.string().describe('Text in the most recent run that contains the claim'),
  previous_text: z.string().nullable().describe('Text in the previous run, if worded differently'),
  verdict: ResearchVerdict.describe(
    'Verdict based on the passages of this run, even if the claim is not repeated',
  ),
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
    items: z.array(ResearchPassageChange).describe('All passages except unchanged ones'),
  }),
  claims: z.array(ResearchClaimChange).describe('Claim changes, those that need attention first'),
})
export type ResearchComparison = z.infer<typeof ResearchComparison>

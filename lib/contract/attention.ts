// Decision statistics, visible only to the owner.

import { z } from 'zod'
import { count } from './scalars.ts'

export const AttentionFigures = z.object({
  decisions: count,
  approved: count,
  rejected: count,
  undone: count.describe('Number of approved drafts that were undone'),
  unseen: count.describe('Number of drafts decided without having been shown in Void’s web app'),
  median_seconds: z
    .number()
    .nullable()
    .describe('Median seconds from first display to decision; null if none was shown'),
})

export type AttentionFigures = z.infer<typeof AttentionFigures>

export const Attention = z.object({
  recent: AttentionFigures.describe('The last 30 decisions'),
  all: AttentionFigures,
  hasty: count.describe(
    'Number of recent drafts approved less than two seconds after being shown, or unseen',
  ),
  notice: z
    .boolean()
    .describe('`true` if a notice should be shown: 30 decisions, more than 95 % of them hasty'),
})

export type Attention = z.infer<typeof Attention>

// How the owner decides, as it is shown to the owner alone.

import { z } from 'zod'
import { count } from './scalars.ts'

export const AttentionFigures = z.object({
  decisions: count,
  approved: count,
  rejected: count,
  undone: count.describe('Of the approved ones: how many are undone'),
  unseen: count.describe('Decided without ever having been shown in Void’s own pages'),
  median_seconds: z
    .number()
    .nullable()
    .describe('From first being shown to the decision; null when none was shown'),
})
export type AttentionFigures = z.infer<typeof AttentionFigures>

export const Attention = z.object({
  recent: AttentionFigures.describe('The last thirty decisions'),
  all: AttentionFigures,
  hasty: count.describe('Of the recent ones: approved less than two seconds after being shown, or unseen'),
  notice: z
    .boolean()
    .describe('Whether to mention it: thirty decisions, and more than 95 of a hundred of them hasty'),
})
export type Attention = z.infer<typeof Attention>

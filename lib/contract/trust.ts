// Whether the owner vouches for what comes from an import, a mail account or a connected source.

import { z } from 'zod'
import { count } from './scalars.ts'

export const OriginKind = z.enum(['import', 'mail', 'source'])

export type OriginKind = z.infer<typeof OriginKind>

export const TrustLevel = z
  .enum(['own', 'outside'])
  .describe('own: the owner vouches for it; outside: others may have written it')

export type TrustLevel = z.infer<typeof TrustLevel>

export const TrustedOrigin = z.object({
  kind: OriginKind,
  key: z.string().describe('The source of an import; the id of a mail account or of a source'),
  name: z.string(),
  trust: TrustLevel,
})

export type TrustedOrigin = z.infer<typeof TrustedOrigin>

// How the owner decides, as it is shown to the owner alone.

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

// Trust level of content from imports, mail accounts and connected sources.

import { z } from 'zod'
import { count } from './scalars.ts'

export const OriginKind = z.enum(['import', 'mail', 'source'])

export type OriginKind = z.infer<typeof OriginKind>

export const TrustLevel = z
  .enum(['own', 'outside'])
  .describe('own: vouched for by the owner; outside: possibly written by others')

export type TrustLevel = z.infer<typeof TrustLevel>

export const TrustedOrigin = z.object({
  kind: OriginKind,
  key: z.string().describe('Import source name, mail account id, or source id'),
  name: z.string(),
  trust: TrustLevel,
})

export type TrustedOrigin = z.infer<typeof TrustedOrigin>

// Decision statistics, visible only to the owner.

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

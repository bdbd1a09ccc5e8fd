// Trust level of content from imports, mail accounts and connected sources.

import { z } from 'zod'

export const OriginKind = z.enum(['import', 'mail', 'source'])

export type OriginKind = z.infer<typeof OriginKind>

/** What the owner vouches for a text by: also a path in a folder in step. */
export type VouchedBy = OriginKind | 'folder'

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

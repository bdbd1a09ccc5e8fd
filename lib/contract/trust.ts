// Whether the owner vouches for what comes from an import, a mail account or a connected source.

import { z } from 'zod'

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

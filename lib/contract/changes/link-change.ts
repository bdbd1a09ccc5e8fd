import { z } from 'zod'
import { sidesOf } from './sides.ts'

export const LinkChange = z.object({
  kind: z.enum(['link', 'image', 'wikilink', 'embed', 'html']),
  /** What is shown of it; the target itself for a bare address. */
  label: z.string(),
  /** `null` for one that is added, or removed. */
  before: z.string().nullable(),
  after: z.string().nullable(),
  /** Whose server it is; `null` for a target within Void. */
  hosts: sidesOf(z.string().nullable()),
})
export type LinkChange = z.infer<typeof LinkChange>

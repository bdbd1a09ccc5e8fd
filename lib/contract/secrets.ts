import { z } from 'zod'
import { time } from './scalars.ts'

/** A secret as it is listed: its value is never shown. */
export const Secret = z.object({
  name: z.string(),
  created_at: time,
  updated_at: time,
  last_used_at: time.nullable(),
  readable: z.boolean().describe('Whether the master key that it was sealed with is here'),
})
export type Secret = z.infer<typeof Secret>

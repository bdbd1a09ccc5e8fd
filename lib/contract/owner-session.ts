import { z } from 'zod'
import { id, time } from './scalars.ts'

/** A browser that is signed in. */
export const OwnerSession = z.object({
  id,
  device: z.string().describe('Browser and system, as the browser names them; empty when it names none'),
  created_at: time,
  last_used_at: time.describe('To the minute'),
  expires_at: time,
  current: z.boolean().describe('Whether it is the one that asks'),
})
export type OwnerSession = z.infer<typeof OwnerSession>

/** What signs one browser in, once. */
export const SignInCode = z.object({ code: z.string(), url: z.url(), expires_at: time })

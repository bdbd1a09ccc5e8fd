import { z } from 'zod'
import { count } from './scalars.ts'

/** What came of asking the model for one word. */
export const ModelTest = z.object({
  ok: z.boolean(),
  code: z.string().describe('`ok`, `no_key`, `key_unreadable`, or the code of the model error'),
  message: z.string().describe('What happened'),
  advice: z.string().nullable().describe('What to do about it'),
  model: z.string(),
  duration_ms: count,
})
export type ModelTest = z.infer<typeof ModelTest>

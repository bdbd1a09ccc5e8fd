import { z } from 'zod'
import { id, time } from '../scalars.ts'

/** How an approved call of an outside tool went. It is made once at most. */
export const CallRun = z.object({
  state: z
    .enum(['approved', 'running', 'done', 'failed', 'unknown'])
    .describe('unknown: it was sent, and nobody knows whether it took effect; it is not sent again'),
  error: z.string().nullable(),
  result_id: id.nullable().describe('What the tool answered: GET /api/tool-results/:id'),
  started_at: time.nullable(),
  ended_at: time.nullable(),
})
export type CallRun = z.infer<typeof CallRun>

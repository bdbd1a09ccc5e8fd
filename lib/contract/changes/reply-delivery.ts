import { z } from 'zod'
import { time } from '../scalars.ts'

/** Where an approved reply is. It is put into a Drafts folder once at most, and never sent. */
export const ReplyDelivery = z.object({
  state: z
    .enum(['waiting', 'delivered', 'file', 'failed', 'unknown'])
    .describe(
      'delivered: in the Drafts folder; file: only here, as a file; unknown: the connection was lost while it was put there, and it was not found there since',
    ),
  error: z.string().nullable(),
  folder: z.string().nullable().describe('The Drafts folder'),
  ended_at: time.nullable(),
})
export type ReplyDelivery = z.infer<typeof ReplyDelivery>

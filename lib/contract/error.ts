import { z } from 'zod'

/** Error response of all routes. */
export const ErrorBody = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
    request_id: z.string(),
  }),
})
export type ErrorBody = z.infer<typeof ErrorBody>

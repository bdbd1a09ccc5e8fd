import { z } from 'zod'

const attachment = z.object({ name: z.string(), bytes: z.instanceof(Uint8Array) })

/** A conversation as a page, with the names by which its text links to the attachments. */
export const conversation = z.object({
  markdown: z.string(),
  attachments: z.array(attachment),
  warnings: z.array(z.string()),
})

export type Conversation = z.output<typeof conversation>

// The messages to and from the parser's thread. Bytes are transferred, not copied.

import { z } from 'zod'
import type { ChatExport } from '../chats/chat.ts'
import { mailboxMessage } from '../mail/split-mbox.ts'

export type ParseRequest =
  | { id: number; work: 'file'; extension: string; path: string; bytes: Uint8Array }
  | {
      id: number
      work: 'notebook'
      extension: string
      path: string
      bytes: Uint8Array
      taken: readonly string[]
    }
  | { id: number; work: 'mailbox'; file: string | Uint8Array }
  | { id: number; work: 'chats'; file: string | Uint8Array }

const parsedFile = z.object({
  type: z.string(),
  title: z.string().nullable(),
  fields: z.record(z.string(), z.unknown()),
  hidden: z.record(z.string(), z.unknown()).optional(),
  references: z.record(z.string(), z.string()).optional(),
  knownAs: z.array(z.string()).readonly().optional(),
  attached: z
    .array(z.object({ name: z.string(), bytes: z.instanceof(Uint8Array), original: z.boolean().optional() }))
    .readonly()
    .optional(),
  warnings: z.array(z.string()),
})

const unpackedFile = z.object({
  path: z.string(),
  bytes: z.instanceof(Uint8Array),
  attached: z.boolean().optional(),
  warnings: z.array(z.string()).optional(),
})

export const parseAnswer = z.discriminatedUnion('outcome', [
  z.object({ id: z.number(), outcome: z.literal('file'), file: parsedFile }),
  z.object({ id: z.number(), outcome: z.literal('notebook'), files: z.array(unpackedFile) }),
  z.object({ id: z.number(), outcome: z.literal('mailbox'), messages: z.array(mailboxMessage) }),
  // Counted and bounded where it was read, in the thread of this program.
  z.object({ id: z.number(), outcome: z.literal('chats'), read: z.custom<ChatExport | null>() }),
  /** The message is the reason, as the rest of a sentence about the file. */
  z.object({ id: z.number(), outcome: z.literal('skipped'), reason: z.string() }),
])

export type ParseAnswer = z.output<typeof parseAnswer>

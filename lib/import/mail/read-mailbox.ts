import { z } from 'zod'
import { openStored } from '../file/stored-bytes.ts'
import { conversationName } from './conversation-name.ts'
import { groupThreads } from './group-threads.ts'
import { splitMbox } from './split-mbox.ts'

const message = z.object({ start: z.number(), end: z.number() })

/** A conversation of a mailbox: what to call it, and where its messages lie, oldest first. */
export const mailboxThread = z.object({ name: z.string(), messages: z.array(message) })

export type MailboxThread = z.output<typeof mailboxThread>

/** The conversations of a mailbox on disk; none when it is not in mbox form. Takes long: for the parser's thread. */
export async function readMailbox(file: string | Uint8Array): Promise<MailboxThread[]> {
  const mailbox = await openStored(typeof file === 'string' ? file : Buffer.from(file))
  try {
    const messages = await splitMbox(mailbox)
    return groupThreads(messages.map((message) => ({ key: message, headers: message.headers }))).map(
      (thread) => ({
        name: conversationName(thread[0]!.headers),
        messages: thread.map(({ key: { start, end } }) => ({ start, end })),
      }),
    )
  } finally {
    await mailbox.close()
  }
}

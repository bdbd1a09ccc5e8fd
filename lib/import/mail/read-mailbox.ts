import { openStored } from '../file/stored-bytes.ts'
import { type MailboxMessage, splitMbox } from './split-mbox.ts'

/** The messages of a mailbox on disk; none when it is not in mbox form. Takes long: for the parser's thread. */
export async function readMailbox(file: string | Uint8Array): Promise<MailboxMessage[]> {
  const mailbox = await openStored(typeof file === 'string' ? file : Buffer.from(file))
  try {
    return await splitMbox(mailbox)
  } finally {
    await mailbox.close()
  }
}

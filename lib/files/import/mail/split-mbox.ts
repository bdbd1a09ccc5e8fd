import { z } from 'zod'
import { openStored, type StoredBytes } from '../file/attachment.ts'
import { headerBytes, readStatus } from './read-headers.ts'

/** A message's position in a mailbox, without its separator line, and its flags. */
export const mailboxMessage = z.object({ start: z.number(), end: z.number(), flags: z.array(z.string()) })

export type MailboxMessage = z.output<typeof mailboxMessage>

const chunk = 1024 * 1024

const newline = 0x0a

/** The messages of a mailbox in mbox form, located without reading it into memory. */
async function splitMbox(mailbox: StoredBytes): Promise<MailboxMessage[]> {
  const starts = await findStarts(mailbox)
  const messages: MailboxMessage[] = []
  for (const [index, { from, body }] of starts.entries()) {
    const end = starts[index + 1]?.from ?? mailbox.size
    if (from >= end) continue
    const flags = readStatus(await mailbox.read(body, Math.min(headerBytes, end - body)))
    messages.push({ start: body, end, flags })
  }
  return messages
}

/** The original message: without the `>` that mbox adds before a line that begins with “From ”. */
export function unquoteFrom(bytes: Buffer): Buffer {
  if (!bytes.includes('\n>From ')) return bytes
  return Buffer.from(bytes.toString('latin1').replace(/^>(>*From )/gm, '$1'), 'latin1')
}

async function findStarts(mailbox: StoredBytes): Promise<{ from: number; body: number }[]> {
  const starts: { from: number; body: number }[] = []
  let lineStart = 0
  let line = ''
  let blankBefore = true

  for (let at = 0; at < mailbox.size; at += chunk) {
    const bytes = await mailbox.read(at, chunk)
    for (let from = 0; from < bytes.length; ) {
      const lineEnd = bytes.indexOf(newline, from)
      const end = lineEnd < 0 ? bytes.length : lineEnd
      // Only the beginning of a line matters.
      if (line.length < 200) line += bytes.toString('latin1', from, Math.min(end, from + 200))
      from = end + 1
      if (lineEnd < 0) break
      const next = at + end + 1
      if (blankBefore && /^From \S*.*\d{2}:\d{2}.*\d{4}/.test(line))
        starts.push({ from: lineStart, body: next })
      blankBefore = line === '' || line === '\r'
      lineStart = next
      line = ''
    }
  }
  return starts
}

/** The messages of a mailbox on disk; none if it is not in mbox form. Slow: for the parser's thread. */
export async function readMailbox(file: string | Uint8Array): Promise<MailboxMessage[]> {
  const mailbox = await openStored(typeof file === 'string' ? file : Buffer.from(file))
  try {
    return await splitMbox(mailbox)
  } finally {
    await mailbox.close()
  }
}

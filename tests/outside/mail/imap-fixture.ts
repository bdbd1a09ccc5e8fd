// A mailbox on the real server of the tests, with what puts mail into it.

import { randomBytes } from 'node:crypto'
import { ImapFlow } from 'imapflow'

/** `imap://host:port`; undefined: there is none, and what needs one is left out. */
export const imapUrl = process.env.TEST_IMAP

/** The same over TLS: `imaps://host:port`. */
export const imapsUrl = process.env.TEST_IMAPS

export type ImapFixture = {
  user: string
  host: string
  port: number
  /** A connection of the test's own, which may write. */
  client: ImapFlow
  append(raw: string | Buffer, folder?: string, flags?: string[]): Promise<number>
  close(): Promise<void>
}

/** A mailbox; of a user that nobody else has, if none is named. */
export async function openImapFixture(named?: string): Promise<ImapFixture> {
  const { hostname: host, port } = new URL(imapUrl!)
  const user = named ?? `u${randomBytes(6).toString('hex')}@skerry.example`
  const client = new ImapFlow({
    ...{ host, port: Number(port), secure: false, doSTARTTLS: false, logger: false as const },
    auth: { user, pass: 'secret' },
  })
  client.on('error', () => {})
  await client.connect()
  return {
    ...{ user, host, port: Number(port), client },
    async append(raw, folder = 'INBOX', flags = []) {
      const added = await client.append(folder, raw, flags)
      return added ? (added.uid ?? 0) : 0
    },
    close: () => client.logout(),
  }
}

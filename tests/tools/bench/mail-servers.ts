// The mailbox that is read: on the server that `TEST_IMAP` names, or else in memory.

import { createConnectImap } from '../../../lib/outside/mail/sync/imap-server.ts'
import type { ListedMessage, MailServer, ServerAddress } from '../../../lib/outside/mail/sync/mail-server.ts'
import { type ImapFixture, openImapFixture } from '../../outside/mail/imap-fixture.ts'
import { makeMessage } from './made-mail.ts'

export type RealMailbox = {
  address: ServerAddress & { password: string }
  /** Puts a message into the inbox. */
  append(raw: Buffer): Promise<void>
  connect(): Promise<MailServer>
  close(): Promise<void>
}

/** Filled with so many messages. A mailbox of that many is there for the next run. */
export async function openMailbox(count: number, log: (message: string) => void): Promise<RealMailbox> {
  const user = `bench-${count}@skerry.example`
  const imap = await openImapFixture(user)
  await fill(imap, count, log)
  const { host, port } = imap
  const address = { host, port, security: 'none', username: user, password: 'secret' } as const
  return {
    address,
    append: async (raw) => void (await imap.append(raw)),
    connect: () => createConnectImap({ version: '0' })(address, new AbortController().signal),
    close: imap.close,
  }
}

async function fill(imap: ImapFixture, count: number, log: (message: string) => void): Promise<void> {
  const { exists } = await imap.client.mailboxOpen('INBOX')
  if (exists < count) log(`putting ${count - exists} messages on the server`)
  for (let n = exists; n < count; n += 1) await imap.append(makeMessage(n))
}

/** Makes each message when it is asked for. */
export function mailboxInMemory(count: number): MailServer {
  const nothing = async () => null
  return {
    listFolders: async () => [{ path: 'INBOX', use: '\\Inbox' }],
    open: async () => ({
      ...{ uid_validity: '1', uid_next: String(count + 1), exists: count, highest_modseq: '1' },
    }),
    listUids: async (from = 1) => Array.from({ length: count + 1 - from }, (_, n) => n + from),
    describe: async (uids) => uids.map(describe),
    fetch: async (uids) => new Map(uids.map((uid) => [uid, makeMessage(uid - 1)])),
    fetchPart: nothing,
    readPart: nothing,
    async *listFlags() {},
    listChanges: nothing,
    waitForNews: async () => {},
    close: async () => {},
  }
}

const describe = (uid: number): ListedMessage => ({
  ...{ uid, bytes: 1500, flags: ['\\Seen'], received_at: new Date('2026-11-20T12:00:00Z') },
  ...{ thread: null, parts: [] },
})

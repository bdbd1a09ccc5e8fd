// The one place where Void writes to a mail server: a draft is added to the folder for drafts. Nothing is sent, marked,
// moved or deleted.

import { connectClient, type ImapOptions } from '../sync/connect-client.ts'
import { stopped } from '../sync/mail-problem.ts'
import type { ServerAddress } from '../sync/mail-server.ts'

/** Each rejects when the connection is lost, or the server refuses. */
export type DraftsFolder = {
  path: string
  uid_validity: string
  /** The number that the next message gets, as of now. */
  uid_next: string
  /** Whether a message with this Message-ID is there. */
  holds(messageId: string): Promise<boolean>
  append(message: Buffer): Promise<void>
  /** Never rejects. */
  close(): Promise<void>
}

/** Opens the folder that the server has for drafts. Rejects with a `mail_stopped` `AppError` when there is none. */
export type ConnectDrafts = (address: ServerAddress, signal: AbortSignal) => Promise<DraftsFolder>

export function createConnectDrafts(options: ImapOptions): ConnectDrafts {
  return async (address, signal) => {
    const { client, close } = await connectClient(options, address, signal)
    try {
      const folders = await client.list()
      const path = folders.find(({ specialUse }) => specialUse === '\\Drafts')?.path
      if (path === undefined) throw stopped('The account has no folder for drafts.')
      const { uidValidity, uidNext } = await client.mailboxOpen(path, { readOnly: true })
      return {
        path,
        uid_validity: String(uidValidity),
        uid_next: String(uidNext),
        async holds(messageId) {
          const found = await client.search({ header: { 'message-id': messageId } }, { uid: true })
          if (!found) throw new Error('The folder for drafts could not be searched.')
          return found.length > 0
        },
        async append(message) {
          const added = await client.append(path, message, ['\\Draft', '\\Seen'])
          if (!added) throw new Error('The draft was not taken.')
        },
        close,
      }
    } catch (error) {
      await close()
      throw error
    }
  }
}

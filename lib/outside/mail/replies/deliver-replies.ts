// Puts approved replies into the Drafts folders of their accounts, one after the other, each once. Before a reply goes
// out, the folder is noted as it is: an attempt that was cut off, by a crash or a lost connection, is begun again only
// when the folder still is as it was. When it is not, the reply is looked for by its Message-ID; one that is not there
// ends as unknown, and nothing is put there a second time unless the owner says so.

import type { Logger } from '../../../core/logger.ts'
import type { Database } from '../../../db/pool.ts'
import { createMailAccountsRepo, type MailAccountRow } from '../../../db/repos/mail_accounts.ts'
import { createRepliesRepo, type DeliveryEnd, type DueReply } from '../../../db/repos/replies.ts'
import { createKickedJob, type KickedJob } from '../../../jobs/kicked-job.ts'
import type { AccountAccess } from '../sync/account-access.ts'
import { connectClient, type ImapOptions } from '../sync/imap-client.ts'
import { isRefusedCommand, type ServerAddress, stopped } from '../sync/mail-server.ts'
import { renderReply, replyMessageId } from './reply-message.ts'

type DeliverDeps = {
  database: Database
  logger: Logger
  connect: ConnectDrafts
  access: AccountAccess
  now: () => Date
  /** Told of each whose state is another one now. Must not reject. */
  onEnd: (replyId: string) => Promise<void>
  /** Milliseconds before the first retry. */
  retryMs?: number
  /** Milliseconds in which a server may still be taking what an attempt sent that was cut off. */
  settleMs?: number
}

const firstRetryMs = 5000

const maxRetryMs = 15 * 60_000

const firstSettleMs = 60_000

/** Then it fails, and is tried again when the owner says so. */
const giveUpMs = 3 * 86_400_000

const attemptMs = 60_000

/** One round: until none is due, or `signal` is aborted. To be run by one server at a time. */
export async function deliverReplies(deps: DeliverDeps, signal: AbortSignal): Promise<void> {
  const { database, now } = deps
  while (!signal.aborted) {
    const reply = await createRepliesRepo(database).findDue(now())
    if (!reply) return
    await database.checkRoom()
    await deliver(deps, reply, signal)
  }
}

async function deliver(deps: DeliverDeps, reply: DueReply, signal: AbortSignal): Promise<void> {
  const { database, now, onEnd } = deps
  const repo = createRepliesRepo(database)
  try {
    const end = await attempt(deps, reply, signal)
    if (end) await repo.end(reply.id, end, now())
  } catch (error) {
    if (signal.aborted) return
    const { message, stops } = deps.access.problemOf(error)
    deps.logger.warn({ reply: reply.id, err: error, stops }, 'reply not saved to drafts')
    const age = now().getTime() - new Date(reply.delivery_created_at).getTime()
    if (stops || age > giveUpMs) {
      await repo.end(reply.id, { state: 'failed', error: message }, now())
    } else {
      await repo.retryAt(reply.id, new Date(now().getTime() + retryAfter(deps, reply)), message)
    }
  }
  await onEnd(reply.id)
}

/** How it ended; null: its time has not come yet. */
async function attempt(deps: DeliverDeps, reply: DueReply, signal: AbortSignal): Promise<DeliveryEnd | null> {
  const { database, now } = deps
  const account = await findAccount(deps, reply)
  if (!account?.drafts_allowed) return { state: 'file', error: null }
  if (reply.mark) {
    const settled = new Date(reply.mark.sent_at).getTime() + (deps.settleMs ?? firstSettleMs)
    if (now().getTime() < settled) {
      await createRepliesRepo(database).retryAt(reply.id, new Date(settled), null)
      return null
    }
  }
  const within = AbortSignal.any([signal, AbortSignal.timeout(attemptMs)])
  const folder = await deps.access.connect(deps.connect, account, within)
  try {
    return await put(deps, reply, folder)
  } finally {
    await folder.close()
  }
}

async function put(
  { database, access, now }: DeliverDeps,
  reply: DueReply,
  folder: DraftsFolder,
): Promise<DeliveryEnd | null> {
  const { path, uid_validity, uid_next } = folder
  const delivered = { state: 'delivered', error: null } as const
  if (await folder.holds(replyMessageId(reply))) return delivered
  if (reply.mark && !isAsMarked(reply.mark, folder)) {
    return {
      state: 'unknown',
      error: `The connection was lost while it was put into ${path}, and it is not there. Look in your mail program before you put it there again.`,
    }
  }
  const waits = await createRepliesRepo(database).mark(
    reply.id,
    { folder: path, uid_validity, uid_next },
    now(),
  )
  if (!waits) return null
  try {
    await folder.append(renderReply(reply))
  } catch (error) {
    if (!isRefusedCommand(error)) throw error
    return { state: 'failed', error: access.problemOf(error).message }
  }
  return delivered
}

const isAsMarked = (mark: NonNullable<DueReply['mark']>, folder: DraftsFolder): boolean =>
  mark.folder === folder.path &&
  mark.uid_validity === folder.uid_validity &&
  mark.uid_next === folder.uid_next

/** The account that it is from. */
async function findAccount({ database }: DeliverDeps, reply: DueReply): Promise<MailAccountRow | null> {
  const accounts = await createMailAccountsRepo(database).listOfSpace(reply.space_id)
  const from = reply.from_address.toLowerCase()
  return (
    accounts.find(({ address }) => address.toLowerCase() === from) ??
    accounts.find(({ aliases }) => aliases.some((alias) => alias.toLowerCase() === from)) ??
    null
  )
}

const retryAfter = ({ retryMs = firstRetryMs }: DeliverDeps, { failures }: DueReply): number =>
  Math.min(maxRetryMs, retryMs * 2 ** Math.min(failures, 20))

/** Delivers approved replies: at once when kicked, and those whose time comes later. */
export const createReplyJob = (deps: DeliverDeps): KickedJob =>
  createKickedJob(deps, {
    name: 'mail_replies',
    // As often as a first retry comes.
    everyMs: deps.retryMs,
    isDue: () => createRepliesRepo(deps.database).isAnyDue(deps.now()),
    run: (signal) => deliverReplies(deps, signal),
  })

// The one place where Void writes to a mail server: a draft is added to the folder for drafts. Nothing is sent, marked,
// moved or deleted.

/** Each rejects when the connection is lost, or the server refuses. */
type DraftsFolder = {
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
          if (!found) throw new Error('The Drafts folder could not be searched.')
          return found.length > 0
        },
        async append(message) {
          const added = await client.append(path, message, ['\\Draft', '\\Seen'])
          if (!added) throw new Error('The server did not accept the draft.')
        },
        close,
      }
    } catch (error) {
      await close()
      throw error
    }
  }
}

// One account for as long as it is followed: connect, sync, wait for news, sync again. A server that fails is tried again
// after a time that doubles; what only the owner can mend stops it until its settings change.

import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from '../../../core/logger.ts'
import {
  createMailAccountsRepo,
  type MailAccountRow,
  type Mailbox,
  type NewState,
} from '../../../db/repos/mail_accounts.ts'
import { createMailFoldersRepo } from '../../../db/repos/mail_folders.ts'
import { createMailMessagesRepo } from '../../../db/repos/mail_messages.ts'
import { createMailJoinsRepo } from '../../../db/repos/mail_threads.ts'
import { startJob } from '../../../jobs/start-job.ts'
import type { Search } from '../../../search/search.ts'
import { purgeDeleted } from '../store/store-messages.ts'
import type { AccountAccess } from './account-access.ts'
import {
  type ConnectMailServer,
  type KnownFolder,
  type ListedFolder,
  type MailServer,
  stopped,
} from './mail-server.ts'
import { noteMissingFolders } from './missing-folders.ts'
import { pickFolders, type SyncDeps, syncFolder } from './sync-folder.ts'

export type FollowDeps = SyncDeps & {
  search: Pick<Search, 'index' | 'maintain' | 'remove'>
  logger: Logger
  connect: ConnectMailServer
  access: AccountAccess
  onNews: (spaceId: string) => void
  /** Milliseconds before the first retry. */
  retryMs?: number
}

/** However long nothing is told of a folder: those beside the inbox are looked at, too. */
const maxWaitMs = 4 * 60_000

const firstRetryMs = 5000

const maxRetryMs = 15 * 60_000

/** What is followed: the account as it was at its stamp. A later one is for who follows it anew. */
type Target = Pick<MailAccountRow, 'id' | 'stamp'>

/** Resolves when aborted, or when it has stopped. Never rejects. */
async function followAccount(deps: FollowDeps, target: Target, signal: AbortSignal): Promise<void> {
  const { retryMs = firstRetryMs } = deps
  let failures = 0
  while (!signal.aborted) {
    try {
      await followOnce(deps, target, { signal, onSynced: () => (failures = 0) })
      return
    } catch (error) {
      if (signal.aborted) return
      const { message, stops } = deps.access.problemOf(error)
      deps.logger.warn({ account: target.id, err: error, stops }, 'mail account failed')
      const isOnce = await isSyncedOnce(deps, target)
      const state = isOnce ? 'paused' : stops ? 'stopped' : 'retrying'
      await note(deps, target, { state, error: message }).catch(() => {})
      if (stops || isOnce) return
      failures += 1
      const ms = Math.min(maxRetryMs, retryMs * 2 ** Math.min(failures - 1, 20))
      await wait(ms, undefined, { signal }).catch(() => {})
    }
  }
}

const isSyncedOnce = async ({ database }: FollowDeps, { id }: Target): Promise<boolean> =>
  await createMailAccountsRepo(database)
    .find(id)
    .then(
      (account) => account?.sync_once === true,
      () => false,
    )

type Following = { signal: AbortSignal; onSynced: () => void }

/** Resolves when the account is another one by now, or paused again after it was synced once. */
async function followOnce(deps: FollowDeps, target: Target, { signal, onSynced }: Following): Promise<void> {
  const account = await createMailAccountsRepo(deps.database).find(target.id)
  if (account?.stamp !== target.stamp) return
  await note(deps, target, { state: 'connecting' })
  const server = await deps.access.connect(deps.connect, account, signal)
  try {
    // A busy machine, not the message, may have been why it could not be read in time.
    await createMailFoldersRepo(deps.database).removeUnreadable(account.id)
    while (!signal.aborted) {
      await note(deps, target, { state: 'syncing' })
      const onNews = () => deps.onNews(account.space_id)
      const inbox = await syncAccount(deps, { account, server, signal, onNews })
      await purgeDeleted(deps, signal)
      await note(deps, target, { state: account.sync_once ? 'paused' : 'watching', syncedAt: deps.now() })
      onSynced()
      if (account.sync_once) return
      await server.waitForNews(inbox, maxWaitMs, signal)
    }
  } finally {
    await server.close()
  }
}

async function note({ database, onNews }: FollowDeps, target: Target, state: NewState): Promise<void> {
  await database.checkRoom()
  const repo = createMailAccountsRepo(database)
  const isNews = await repo.noteState(target, state)
  const account = isNews || state.syncedAt ? await repo.find(target.id) : null
  if (account) onNews(account.space_id)
}

export type AccountSync = {
  account: Mailbox & { space_id: string }
  server: MailServer
  signal: AbortSignal
  onNews: () => void
}

/**
 * All folders of an account, the first of them, which is the inbox, again while much of the others comes in; then what
 * none of them has any more. The first as it was. Rejects with a `mail_stopped` `AppError` when there is none to read.
 */
export async function syncAccount(deps: SyncDeps, sync: AccountSync): Promise<KnownFolder> {
  const { account, server } = sync
  const listed = await server.listFolders()
  const paths = pickFolders(listed, account.folders)
  const noteMissing = async () => {
    if (await noteMissingFolders(deps, { account, server, listed, read: paths })) sync.onNews()
  }
  const [first] = paths
  if (first === undefined) {
    await noteMissing()
    throw stopped('None of the chosen folders is there. Choose others.')
  }
  const inbox = { path: first, opened: await syncFolder(deps, { ...sync, path: first }) }
  const lookAround = async () => void (await syncFolder(deps, { ...sync, path: first }))
  for (const path of paths.slice(1)) {
    sync.signal.throwIfAborted()
    await syncFolder(deps, { ...sync, path, lookAround })
  }
  const lost = await forgetLost(deps, { account, listed, read: paths })
  await noteMissing()
  if (lost > 0) sync.onNews()
  return inbox
}

type Synced = { account: AccountSync['account']; listed: readonly ListedFolder[]; read: readonly string[] }

/** Forgets folders that are no longer read, and marks what no folder has any more as deleted; how many messages. */
async function forgetLost({ database }: SyncDeps, { account, listed, read }: Synced): Promise<number> {
  return await database.transaction(async (tx) => {
    // What somebody is storing is not lost, and neither is what is read by now.
    await createMailJoinsRepo(tx).lockSpace(account.space_id)
    if (!(await createMailAccountsRepo(tx).lockMailbox(account))) return 0
    const present = listed.map(({ path }) => path)
    await createMailFoldersRepo(tx).removeUnread(account.id, { listed: present, read })
    return await createMailMessagesRepo(tx).deleteLost(account.id)
  })
}

// Follows all accounts, on one server of those that share a database: one lease for all of them, held while it works.

export type MailJob = {
  /** Looks at once for accounts that are new, changed or asked for, on whichever server follows them. */
  kick(): void
  start(): () => Promise<void>
}

/** Accounts that are followed at once. */
const maxFollowed = 50

const everyMs = 1000

const lookMs = 5000

const channel = 'void_mail'

type Followed = { stamp: string; controller: AbortController; ended: Promise<void> }

export function createMailJob(deps: FollowDeps): MailJob {
  const { database } = deps
  let kicked = false
  let wake = () => {}
  let beginRound = () => {}
  const onKick = () => {
    kicked = true
    wake()
    beginRound()
  }
  const listen = () => database.notifications.listen(channel, onKick, onKick)

  return {
    kick: () => database.notifications.notify(channel, randomUUID()),
    start() {
      const unlisten = listen()
      const onStart = (begin: () => void) => {
        beginRound = begin
      }
      const stop = startJob(deps, { name: 'mail', everyMs, isDue, run, onStart })
      return async () => {
        await stop()
        unlisten()
      }
    },
  }

  async function isDue(): Promise<boolean> {
    const [account] = await createMailAccountsRepo(database).listActive(1)
    return account !== undefined || (await createMailMessagesRepo(database).findSpaceToPurge()) !== null
  }

  /** Until nothing is left to follow, or the lease is lost. */
  async function run(signal: AbortSignal): Promise<void> {
    const followed = new Map<string, Followed>()
    try {
      while (!signal.aborted) {
        kicked = false
        await purgeDeleted(deps, signal)
        const active = await createMailAccountsRepo(database).listActive(maxFollowed)
        await endOthers(followed, active)
        for (const { id, stamp } of active) {
          if (!followed.has(id)) followed.set(id, follow({ id, stamp }, signal))
        }
        if (active.length === 0) return
        await nextLook(signal)
      }
    } finally {
      await endOthers(followed, [])
    }
  }

  function follow(target: Target, signal: AbortSignal): Followed {
    const controller = new AbortController()
    const ended = followAccount(deps, target, AbortSignal.any([signal, controller.signal]))
    return { stamp: target.stamp, controller, ended }
  }

  async function nextLook(signal: AbortSignal): Promise<void> {
    const woken = new AbortController()
    wake = () => woken.abort()
    if (kicked) wake()
    await wait(lookMs, undefined, { signal: AbortSignal.any([signal, woken.signal]) }).catch(() => {})
  }
}

/** Ends those that are gone, or that are to be begun anew. */
async function endOthers(
  followed: Map<string, Followed>,
  active: readonly { id: string; stamp: string }[],
): Promise<void> {
  const current = new Map(active.map(({ id, stamp }) => [id, stamp]))
  const others = [...followed].filter(([id, { stamp }]) => current.get(id) !== stamp)
  for (const [id, { controller }] of others) {
    controller.abort()
    followed.delete(id)
  }
  await Promise.all(others.map(([, { ended }]) => ended))
}

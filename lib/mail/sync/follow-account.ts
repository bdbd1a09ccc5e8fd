// One account for as long as it is followed: connect, sync, wait for news, sync again. A server that fails is tried again
// after a time that doubles; what only the owner can mend stops it until its settings change.

import { setTimeout as wait } from 'node:timers/promises'
import { createMailAccountsRepo, type MailAccountRow, type NewState } from '../../db/repos/mail_accounts.ts'
import { createMailFoldersRepo } from '../../db/repos/mail_folders.ts'
import type { Logger } from '../../logger.ts'
import type { Search } from '../../search/search.ts'
import { purgeDeleted } from '../store/purge-deleted.ts'
import type { AccountAccess } from './account-access.ts'
import { mailProblem } from './mail-problem.ts'
import type { ConnectMailServer } from './mail-server.ts'
import { syncAccount } from './sync-account.ts'
import type { SyncDeps } from './sync-folder.ts'

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
export type Target = Pick<MailAccountRow, 'id' | 'stamp'>

/** Resolves when aborted, or when it has stopped. Never rejects. */
export async function followAccount(deps: FollowDeps, target: Target, signal: AbortSignal): Promise<void> {
  const { retryMs = firstRetryMs } = deps
  let failures = 0
  while (!signal.aborted) {
    try {
      await followOnce(deps, target, { signal, onSynced: () => (failures = 0) })
      return
    } catch (error) {
      if (signal.aborted) return
      const { message, stops } = mailProblem(error)
      deps.logger.warn({ account: target.id, err: error, stops }, 'mail account failed')
      await note(deps, target, { state: stops ? 'stopped' : 'retrying', error: message }).catch(() => {})
      if (stops) return
      failures += 1
      const ms = Math.min(maxRetryMs, retryMs * 2 ** Math.min(failures - 1, 20))
      await wait(ms, undefined, { signal }).catch(() => {})
    }
  }
}

type Following = { signal: AbortSignal; onSynced: () => void }

/** Resolves when the account is another one by now. */
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
      await note(deps, target, { state: 'watching', syncedAt: deps.now() })
      onSynced()
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

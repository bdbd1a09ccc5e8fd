// Mail of Spaces: accounts that are read over IMAP in the background, messages in threads, and what the owner sees of
// them. A message is read in a thread of its own kind, so that no text is waited for behind it.

import type { ImportMail } from '../import/mail/import-mail.ts'
import type { KickedJob } from '../jobs/kicked-job.ts'
import type { Search } from '../search/search.ts'
import { createTextThreads } from '../workers/text-threads.ts'
import { createWorkerPool } from '../workers/worker-pool.ts'
import type { PasswordStore } from './account-password.ts'
import { createMailAttachments, type MailAttachments } from './attachments/mail-attachments.ts'
import {
  createDiscoverMailServer,
  type DiscoverMailServer,
  type DiscoveryNetwork,
} from './discovery/discover-server.ts'
import { createMailAccounts, type MailAccounts } from './mail-accounts.ts'
import { createMailReplies, type MailReplies } from './mail-replies.ts'
import { createMailThreads, type MailThreads } from './mail-threads.ts'
import { createLargeMessageThreads } from './message/large-message-threads.ts'
import { createImportMail } from './store/import-messages.ts'
import type { FollowDeps } from './sync/follow-account.ts'
import { createMailJob, type MailJob } from './sync/mail-job.ts'

export type Mail = {
  accounts: MailAccounts
  threads: MailThreads
  replies: MailReplies
  attachments: MailAttachments
  /** Takes messages of files; see `ImportMail`. */
  importMail: ImportMail
  /** Where the mailbox of an address is; never rejects. */
  discover: DiscoverMailServer
  /** Follows the accounts until the function returned is called. */
  start(): () => Promise<void>
}

export type MailDeps = Omit<FollowDeps, 'threads' | 'search'> & {
  search: Search
  secrets: PasswordStore
  replyJob: KickedJob
  discovery: DiscoveryNetwork
}

export function createMail({ secrets, replyJob, discovery, ...deps }: MailDeps): Mail {
  const threads = createTextThreads(
    createWorkerPool({
      limits: { timeoutMs: 20_000, heapMb: 256, growthMb: 512 },
      size: 1,
      maxWaiting: 1000,
    }),
  )
  const largeThreads = createLargeMessageThreads()
  const job: MailJob = createMailJob({ ...deps, threads })

  return {
    accounts: createMailAccounts({ ...deps, secrets, job }),
    threads: createMailThreads(deps),
    replies: createMailReplies({ ...deps, job: replyJob }),
    attachments: createMailAttachments({ ...deps, threads: largeThreads }),
    importMail: createImportMail({ ...deps, threads: largeThreads }),
    discover: createDiscoverMailServer(discovery),
    start() {
      const stops = [job.start(), replyJob.start()]
      return async () => {
        await Promise.all(stops.map((stop) => stop()))
        await Promise.all([threads.close(), largeThreads.close()])
      }
    },
  }
}

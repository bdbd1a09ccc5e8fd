// Mail of Spaces: accounts that are read over IMAP in the background, messages in threads, and what the owner sees of
// them. A message is read in a thread of its own kind, so that no text is waited for behind it.

import type { ReplyDelivery } from '../../contract/changes/card.ts'
import { conflict, notFound } from '../../core/errors.ts'
import type { Database } from '../../db/pool.ts'
import { createRepliesRepo } from '../../db/repos/replies.ts'
import type { ImportMail } from '../../files/import/import-result.ts'
import type { KickedJob } from '../../jobs/kicked-job.ts'
import { startJob } from '../../jobs/start-job.ts'
import { createTextThreads } from '../../jobs/workers/text-threads.ts'
import { createWorkerPool } from '../../jobs/workers/worker-pool.ts'
import type { Search } from '../../search/search.ts'
import type { PasswordStore } from './account-settings.ts'
import { createMailAttachments, type MailAttachments } from './attachments/mail-attachments.ts'
import { createDiscoverMailServer, type DiscoverMailServer, type DiscoveryNetwork } from './discovery.ts'
import { createMailAccounts, type MailAccounts } from './mail-accounts.ts'
import { createMailThreads, type MailThreads } from './mail-threads.ts'
import { createLargeMessageThreads } from './message/parse-in-thread.ts'
import { renderReply } from './replies/reply-message.ts'
import { createImportMail } from './store/import-messages.ts'
import { createRereadJob } from './store/reread-messages.ts'
import { createMailJob, type FollowDeps, type MailJob } from './sync/follow-account.ts'

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

type MailDeps = Omit<FollowDeps, 'threads' | 'search'> & {
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
      const stops = [
        job.start(),
        replyJob.start(),
        startJob(deps, createRereadJob({ ...deps, threads: largeThreads })),
      ]
      return async () => {
        await Promise.all(stops.map((stop) => stop()))
        await Promise.all([threads.close(), largeThreads.close()])
      }
    },
  }
}

// Replies that the owner approved, for the owner: as a file, and to be put into Drafts once more.

type MailReplies = {
  /** As a message that a mail program can open. Throws a 404 `AppError`. */
  file(id: string): Promise<Buffer>
  /** Has it put into Drafts as soon as may be. Throws `AppError`: 404, or 409 when it is there. */
  deliver(id: string): Promise<ReplyDelivery>
  /** Resolves when the deliveries under way have ended. */
  settled(): Promise<void>
}

type MailRepliesDeps = { database: Database; job: KickedJob; now: () => Date }

function createMailReplies({ database, job, now }: MailRepliesDeps): MailReplies {
  const repo = createRepliesRepo(database)
  const load = async (id: string) => {
    const reply = await repo.find(id)
    if (!reply) throw notFound('reply', id)
    return reply
  }

  return {
    file: async (id) => renderReply(await load(id), { unsent: true }),

    async deliver(id) {
      await load(id)
      if (!(await repo.retry(id, now()))) {
        throw conflict('already_delivered', 'This reply is already in the Drafts folder.')
      }
      job.kick()
      const [delivery] = await repo.listDeliveries([id])
      if (!delivery) throw notFound('reply', id)
      const { reply_id: _, ...state } = delivery
      return state
    },

    settled: job.settled,
  }
}

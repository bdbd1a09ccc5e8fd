// Replies that the owner approved, for the owner: as a file, and to be put into Drafts once more.

import type { ReplyDelivery } from '../contract/changes/reply-delivery.ts'
import type { Database } from '../db/pool.ts'
import { createRepliesRepo } from '../db/repos/replies.ts'
import { conflict, notFound } from '../errors.ts'
import type { KickedJob } from '../jobs/kicked-job.ts'
import { renderReply } from './replies/reply-message.ts'

export type MailReplies = {
  /** As a message that a mail program can open. Throws a 404 `AppError`. */
  file(id: string): Promise<Buffer>
  /** Has it put into Drafts as soon as may be. Throws `AppError`: 404, or 409 when it is there. */
  deliver(id: string): Promise<ReplyDelivery>
  /** Resolves when the deliveries under way have ended. */
  settled(): Promise<void>
}

type MailRepliesDeps = { database: Database; job: KickedJob; now: () => Date }

export function createMailReplies({ database, job, now }: MailRepliesDeps): MailReplies {
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
        throw conflict('already_delivered', 'This reply is in the Drafts folder already.')
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

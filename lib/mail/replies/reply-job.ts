import { createRepliesRepo } from '../../db/repos/replies.ts'
import { createKickedJob, type KickedJob } from '../../jobs/kicked-job.ts'
import { type DeliverDeps, deliverReplies } from './deliver-replies.ts'

/** Delivers approved replies: at once when kicked, and those whose time comes later. */
export const createReplyJob = (deps: DeliverDeps): KickedJob =>
  createKickedJob(deps, {
    name: 'mail_replies',
    // As often as a first retry comes.
    everyMs: deps.retryMs,
    isDue: () => createRepliesRepo(deps.database).isAnyDue(deps.now()),
    run: (signal) => deliverReplies(deps, signal),
  })

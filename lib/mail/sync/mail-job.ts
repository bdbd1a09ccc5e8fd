// Follows all accounts, on one server of those that share a database: one lease for all of them, held while it works.

import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { createMailAccountsRepo } from '../../db/repos/mail_accounts.ts'
import { createMailMessagesRepo } from '../../db/repos/mail_messages.ts'
import { startJob } from '../../jobs/start-job.ts'
import { purgeDeleted } from '../store/purge-deleted.ts'
import { type FollowDeps, followAccount, type Target } from './follow-account.ts'

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
    return account !== undefined || (await createMailMessagesRepo(database).listDeleted(1)).length > 0
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

import { randomUUID } from 'node:crypto'
import type { Logger } from '../core/logger.ts'
import type { Database } from '../db/pool.ts'
import { type LeasedRound, runUnderLease } from './run-under-lease.ts'
import { startJob } from './start-job.ts'

/** Work that starts on a kick, and is polled for besides. */
export type KickedJob = {
  /** Starts a round at once, without waiting for it. */
  kick(): void
  /** Polls, for work left by a server that crashed. */
  start(): () => Promise<void>
  /** Resolves when the kicked rounds have ended. */
  settled(): Promise<void>
}

const defaultEveryMs = 5000

/** `everyMs`: the polling interval. */
export function createKickedJob(
  deps: { database: Database; logger: Logger },
  { everyMs = defaultEveryMs, ...round }: LeasedRound & { everyMs?: number | undefined },
): KickedJob {
  const owner = randomUUID()
  const stopped = new AbortController()
  let running: Promise<void> | null = null
  let again = false

  return {
    kick,
    start() {
      const stop = startJob(deps, { ...round, everyMs })
      return async () => {
        stopped.abort()
        await stop()
        await running
      }
    },
    settled: async () => {
      await running
    },
  }

  function kick(): void {
    again = true
    running ??= work().finally(() => {
      running = null
    })
  }

  async function work(): Promise<void> {
    while (again && !stopped.signal.aborted) {
      again = false
      await runUnderLease(deps.database, owner, round, stopped.signal).catch((error: unknown) =>
        deps.logger.warn({ err: error, job: round.name }, 'kicked job failed; will be retried'),
      )
    }
  }
}

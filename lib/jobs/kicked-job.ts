import { randomUUID } from 'node:crypto'
import type { Logger } from '../core/logger.ts'
import type { Database } from '../db/pool.ts'
import { type LeasedRound, runUnderLease } from './run-under-lease.ts'
import { startJob } from './start-job.ts'

/** Work that is known to be there when it comes, and is looked for from time to time besides. */
export type KickedJob = {
  /** Looks for work at once, and returns. */
  kick(): void
  /** Looks for it from time to time, for what a server left that ended before it could. */
  start(): () => Promise<void>
  /** Resolves when what was kicked off has ended. */
  settled(): Promise<void>
}

const defaultEveryMs = 5000

/** `everyMs`: how often it looks for work by itself. */
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
        deps.logger.warn({ err: error, job: round.name }, 'kicked job failed; it is tried again'),
      )
    }
  }
}

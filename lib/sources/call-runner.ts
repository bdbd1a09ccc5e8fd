import { randomUUID } from 'node:crypto'
import { createCallRunsRepo } from '../db/repos/call_runs.ts'
import type { LeasedRound } from '../jobs/run-under-lease.ts'
import { runUnderLease } from '../jobs/run-under-lease.ts'
import { startJob } from '../jobs/start-job.ts'
import { type RunCallsDeps, runCalls } from './run-calls.ts'

export type CallRunner = {
  /** Looks for approved calls at once, and returns. */
  kick(): void
  /** Looks for them from time to time, for those whose server ended before it could. */
  start(): () => Promise<void>
  /** Resolves when what was kicked off has ended. */
  settled(): Promise<void>
}

const everyMs = 5000

export function createCallRunner(deps: RunCallsDeps): CallRunner {
  const owner = randomUUID()
  const stopped = new AbortController()
  let running: Promise<void> | null = null
  let again = false
  const round: LeasedRound = {
    name: 'outside_calls',
    isDue: () => createCallRunsRepo(deps.database).isAnyOpen(),
    run: (signal) => runCalls(deps, signal),
  }

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
        deps.logger.warn({ err: error }, 'approved calls not made; they are tried again'),
      )
    }
  }
}

// A background job is a loop that polls for work and does it under a lease: a row with the server at work and the time
// until which it counts as alive. Servers on one database take turns, and a crashed one is replaced when its lease has
// expired (docs/decisions/0011-background-work-is-a-lease-and-a-loop.md).

import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from '../core/logger.ts'
import type { Database } from '../db/pool.ts'
import { type LeasedRound, runUnderLease } from './run-under-lease.ts'

export type Job = LeasedRound & {
  /** Pause between rounds; read after each. */
  everyMs: number
  /** Delay before the first round. Default: 0. */
  firstAfterMs?: number
  /** Receives a function that starts the next round at once. */
  onStart?: (wake: () => void) => void
}

const maxFirstRetryMs = 10_000
const maxRetryMs = 600_000

/**
 * Starts a loop. A failed round is logged and retried after at most ten seconds, then after twice as long for each
 * failure in a row, up to ten minutes; a full disk is such a failure. The returned function stops the loop and resolves
 * when the current round has ended.
 */
export function startJob(deps: { database: Database; logger: Logger }, job: Job): () => Promise<void> {
  const controller = new AbortController()
  const { signal } = controller
  const run = async (round: AbortSignal) => {
    await deps.database.checkRoom()
    await job.run(round)
  }
  const ended = loop()
  return async () => {
    controller.abort()
    await ended
  }

  async function loop(): Promise<void> {
    const owner = randomUUID()
    let failures = 0
    let woken = new AbortController()
    job.onStart?.(() => woken.abort())
    if (job.firstAfterMs) await pause(job.firstAfterMs, signal)
    while (!signal.aborted) {
      woken = new AbortController()
      try {
        await runUnderLease(deps.database, owner, { ...job, run }, signal)
        failures = 0
      } catch (error) {
        if (signal.aborted) return
        failures += 1
        deps.logger.warn({ err: error, job: job.name, failures }, 'background job failed')
      }
      const ms = failures === 0 ? job.everyMs : retryMs(job, failures)
      await pause(ms, AbortSignal.any([signal, woken.signal]))
    }
  }
}

const retryMs = ({ everyMs }: Job, failures: number) =>
  Math.min(maxRetryMs, Math.min(maxFirstRetryMs, everyMs) * 2 ** (failures - 1))

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => {})
}

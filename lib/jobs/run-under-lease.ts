import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../db/pool.ts'
import { createJobLeasesRepo } from '../db/repos/maintenance.ts'

export type LeasedRound = {
  /** Lease name: of all servers on a database, one at a time runs a round of this name. */
  name: string
  /** True if there is work. Default: always. Called without a lease; should be cheap. */
  isDue?: () => Promise<boolean>
  /** Aborted with `signal`, or when the lease is lost. May then end early, resolved or rejected. */
  run(signal: AbortSignal): Promise<unknown>
}

const leaseSeconds = 10
const renewMs = 3000

/** Runs a round if it is due and the lease is free, and renews the lease meanwhile. Throws the round's error. */
export async function runUnderLease(
  database: Database,
  owner: string,
  { name, isDue, run }: LeasedRound,
  signal: AbortSignal,
): Promise<void> {
  if (isDue && !(await isDue())) return
  const leases = createJobLeasesRepo(database)
  const terms = { name, owner, seconds: leaseSeconds }
  if (!(await leases.hold(terms))) return

  const lost = new AbortController()
  const renew = async () => {
    const holds = await leases.hold(terms).catch(() => false)
    if (!holds) lost.abort()
  }
  let renewal = Promise.resolve()
  const timer = setInterval(() => {
    renewal = renew()
  }, renewMs)
  try {
    await run(AbortSignal.any([signal, lost.signal]))
  } finally {
    clearInterval(timer)
    await renewal
    // A lease that cannot be released expires.
    await leases.release(terms).catch(() => {})
  }
}

const pollMs = 100

/**
 * Runs `work` once the lease is free: of all servers on a database, one at a time is within `work` of this name. A name
 * with a colon is of one thing and no background job. Throws what `work` throws.
 */
export async function withLease<Result>(
  database: Database,
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const owner = randomUUID()
  const { signal } = new AbortController()
  const results: Result[] = []
  const run = async () => results.push(await work())
  try {
    for (;;) {
      await runUnderLease(database, owner, { name, run }, signal)
      if (results.length > 0) return results[0]!
      await wait(pollMs)
    }
  } finally {
    await createJobLeasesRepo(database)
      .remove({ name, owner })
      .catch(() => {})
  }
}

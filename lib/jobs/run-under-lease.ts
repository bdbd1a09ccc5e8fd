import type { Database } from '../db/pool.ts'
import { createJobLeasesRepo } from '../db/repos/jobs.ts'

export type LeasedRound = {
  /** Names the lease: of all servers on a database, one at a time runs a round of this name. */
  name: string
  /** Whether there is anything to do; left out: always. Asked without a lease, and should be cheap. */
  isDue?: () => Promise<boolean>
  /** Aborted when `signal` is, or when the lease is lost. May end early then, resolved or rejected. */
  run(signal: AbortSignal): Promise<unknown>
}

const leaseSeconds = 10
const renewMs = 3000

/** Runs a round if it is due and the lease is free, and renews the lease meanwhile. Throws what the round throws. */
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
    const held = await leases.hold(terms).catch(() => false)
    if (!held) lost.abort()
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

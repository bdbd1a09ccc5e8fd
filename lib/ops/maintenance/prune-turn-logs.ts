import type { Database } from '../../db/pool.ts'
import { createRetentionRepo } from '../../db/repos/retention.ts'

const dayMs = 24 * 60 * 60 * 1000
const turnsAtOnce = 500

/** Of turns that ended: how many bytes of logs are kept together. */
type Kept = { maxBytes: number }

/** Removes logs each time that it is called. How many rows there were. */
export type PruneTurnLogs = (now: Date) => Promise<number>

/**
 * Removes the logs of turns that ended more than a day ago, and of the oldest where those of the last day are too large:
 * everything is in their conversations, and a reader that comes back gets that. Remembers how far it came, so that
 * only the first call reads all turns.
 */
export function createPruneTurnLogs(database: Database, { maxBytes }: Kept): PruneTurnLogs {
  const retention = createRetentionRepo(database)
  let done: string | null = null

  return async (now) => {
    const dayAgo = new Date(now.getTime() - dayMs)
    const until = (await retention.findExcessLogs(dayAgo, maxBytes)) ?? dayAgo.toISOString()
    let removed = 0
    for (;;) {
      const round = await retention.pruneLogs({ after: done, until }, turnsAtOnce)
      removed += round.removed
      if (round.last === null) return removed
      done = round.last
    }
  }
}

import type { Database } from '../db/pool.ts'
import { createTurnEventsRepo } from '../db/repos/turn_events.ts'

const dayMs = 24 * 60 * 60 * 1000
const perRound = 500

/**
 * Removes the logs of turns that ended more than a day ago: by then everything stands in their conversations, and a
 * reader that comes back gets that. How many rows went.
 */
export async function pruneTurnLogs(database: Database, now: Date): Promise<number> {
  const before = new Date(now.getTime() - dayMs)
  let removed = 0
  for (;;) {
    const count = await createTurnEventsRepo(database).prune(before, perRound)
    removed += count
    if (count === 0) return removed
  }
}

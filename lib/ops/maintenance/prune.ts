// Removes expired records, a bounded number per transaction.

import type { Database } from '../../db/pool.ts'
import { createRetentionRepo } from '../../db/repos/maintenance.ts'

type PruneDeps = { database: Database; now: () => Date }

const dayMs = 24 * 60 * 60 * 1000
/** A conversation may hold megabytes: few at a time keep each transaction short. */
const conversationsAtOnce = 20
const callsAtOnce = 5000
const turnsAtOnce = 500

/** Permanently removes the text of conversations deleted more than `days` ago. Returns their number. */
export async function pruneConversations({ database, now }: PruneDeps, days: number): Promise<number> {
  const before = new Date(now().getTime() - days * dayMs)
  return await inRounds(conversationsAtOnce, (limit) =>
    database.transaction((tx) => createRetentionRepo(tx).purgeConversations(before, limit)),
  )
}

/**
 * Removes records of tool calls made more than `days` ago, and the oldest if their texts exceed `maxBytes`; those of
 * the last day stay. Returns their number.
 */
export async function pruneCalls(
  { database, now }: PruneDeps,
  { days, maxBytes }: { days: number; maxBytes: number },
): Promise<number> {
  const retention = createRetentionRepo(database)
  const before = (ago: number) => new Date(now().getTime() - ago * dayMs)
  const old = await inRounds(callsAtOnce, (limit) => retention.pruneCalls(before(days), limit))
  const excess = await retention.findExcessCalls(before(1), maxBytes)
  return excess === null
    ? old
    : old + (await inRounds(callsAtOnce, (limit) => retention.pruneCalls(excess, limit)))
}

/** Removes logs on each call. Returns the number of rows removed. */
export type PruneTurnLogs = (now: Date) => Promise<number>

/**
 * Removes logs of turns that ended more than a day ago, and the oldest if the last day's exceed `maxBytes`: their
 * content is in the conversations, which reconnecting readers get instead. Remembers its position, so that only the
 * first call reads all turns.
 */
export function createPruneTurnLogs(database: Database, { maxBytes }: { maxBytes: number }): PruneTurnLogs {
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

async function inRounds(limit: number, remove: (limit: number) => Promise<number>): Promise<number> {
  let removed = 0
  for (;;) {
    const count = await remove(limit)
    removed += count
    if (count < limit) return removed
  }
}

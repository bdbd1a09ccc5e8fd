import type { Database } from '../db/pool.ts'
import { createPurgedConversationsRepo } from '../db/repos/purged_conversations.ts'
import { createToolCallsRepo } from '../db/repos/tool_calls.ts'

type PruneDeps = { database: Database; now: () => Date }

const dayMs = 24 * 60 * 60 * 1000
/** A conversation may hold megabytes: few at a time keep each transaction short. */
const conversationsAtOnce = 20
const callsAtOnce = 5000

/** Removes the words of conversations that were deleted more than `days` ago, for good. How many there were. */
export async function pruneConversations({ database, now }: PruneDeps, days: number): Promise<number> {
  const before = new Date(now().getTime() - days * dayMs)
  return await inRounds(conversationsAtOnce, (limit) =>
    database.transaction((tx) => createPurgedConversationsRepo(tx).purge(before, limit)),
  )
}

/**
 * Removes the records of tool calls that were made more than `days` ago, and the oldest where their texts come to more
 * than `maxBytes`; those of the last day stay. How many there were.
 */
export async function pruneCalls(
  { database, now }: PruneDeps,
  { days, maxBytes }: { days: number; maxBytes: number },
): Promise<number> {
  const calls = createToolCallsRepo(database)
  const before = (ago: number) => new Date(now().getTime() - ago * dayMs)
  const old = await inRounds(callsAtOnce, (limit) => calls.prune(before(days), limit))
  const excess = await calls.findExcess(before(1), maxBytes)
  return excess === null ? old : old + (await inRounds(callsAtOnce, (limit) => calls.prune(excess, limit)))
}

async function inRounds(limit: number, remove: (limit: number) => Promise<number>): Promise<number> {
  let removed = 0
  for (;;) {
    const count = await remove(limit)
    removed += count
    if (count < limit) return removed
  }
}

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

/** Removes the records of tool calls that were made more than `days` ago. How many there were. */
export async function pruneCalls({ database, now }: PruneDeps, days: number): Promise<number> {
  const before = new Date(now().getTime() - days * dayMs)
  return await inRounds(callsAtOnce, (limit) => createToolCallsRepo(database).prune(before, limit))
}

async function inRounds(limit: number, remove: (limit: number) => Promise<number>): Promise<number> {
  let removed = 0
  for (;;) {
    const count = await remove(limit)
    removed += count
    if (count < limit) return removed
  }
}

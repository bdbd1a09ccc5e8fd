import type { Kinds } from '../../contract/entities/kinds.ts'
import type { Logger } from '../../core/logger.ts'
import type { Database } from '../../db/pool.ts'
import { listDeferred } from '../../db/repos/chunks.ts'
import { listUnindexedConversations } from '../../db/repos/derived.ts'
import { startJob } from '../../jobs/start-job.ts'
import { indexConversations, indexDeferred, type Progress, reindex } from '../../search/reindex.ts'
import type { Search } from '../../search/search.ts'

/** Polling interval for conversations. */
const everyMs = 5000
/** Quiet period before a conversation is indexed; while turns run, indexing pauses. */
const quietMs = { idle: 5000, busy: 60_000 }
const maxConversations = 20
/**
 * Every ten minutes all conversations are checked, in case one was renamed or restored; otherwise those of the last
 * day.
 */
const lookAtAllMs = 600_000
const recentMs = 86_400_000

export type Indexer = {
  /** Progress of this server's reindexing; `null` if none is running. */
  progress(): Progress | null
  /** Indexes outdated entities, then conversations as they become quiet, until the returned function is called. */
  start(): () => Promise<void>
}

type IndexerDeps = {
  database: Database
  kinds: Kinds
  search: Search
  logger: Logger
  now: () => Date
  /** True if turns run on this server. */
  isBusy: () => boolean
}

/** Keeps the search index complete in the background. */
export function createIndexer(deps: IndexerDeps): Indexer {
  const { database, search, logger, now, isBusy } = deps
  let current: Progress | null = null
  let upToDate = false
  /** Time of the last check of all conversations that found no work. */
  let allIndexedAt = Number.NEGATIVE_INFINITY

  async function isDue(): Promise<boolean> {
    if (await search.adoptAverageLengths()) {
      upToDate = false
      allIndexedAt = Number.NEGATIVE_INFINITY
    }
    if (!upToDate || (await listDeferred(database, 1)).length > 0) return true
    const times = conversationTimes()
    const quiet = { analysis: search.analysis, ...times, limit: 1 }
    if ((await listUnindexedConversations(database, quiet)).length > 0) return true
    // Active conversations were all updated within the last day.
    if (times.active_since === null) allIndexedAt = now().getTime()
    return false
  }

  async function run(signal: AbortSignal): Promise<void> {
    if (!upToDate) await catchUp(signal)
    await indexDeferred(deps, signal)
    if (signal.aborted) return
    const wasBusy = isBusy()
    const makesWay = () => signal.aborted || (isBusy() && !wasBusy)
    await indexConversations(deps, { ...conversationTimes(), limit: maxConversations, makesWay })
  }

  async function catchUp(signal: AbortSignal): Promise<void> {
    const onProgress = (progress: Progress) => {
      if (!current) logger.info({ entities: progress.total }, 'reindexing')
      current = progress
    }
    try {
      const done = await reindex(deps, { signal, onProgress })
      upToDate = !signal.aborted
      if (done === 0 || signal.aborted) return
      logger.info({ entities: done }, 'search index is up to date')
      await search.maintain()
    } finally {
      current = null
    }
  }

  const before = (ms: number) => new Date(now().getTime() - ms)
  const conversationTimes = () => ({
    quiet_since: before(isBusy() ? quietMs.busy : quietMs.idle),
    active_since: now().getTime() - allIndexedAt < lookAtAllMs ? before(recentMs) : null,
  })

  return {
    progress: () => current,
    start: () => startJob(deps, { name: 'index', everyMs, isDue, run }),
  }
}

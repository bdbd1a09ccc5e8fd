import type { Database } from '../db/pool.ts'
import type { Kinds } from '../entities/kinds.ts'
import type { Logger } from '../logger.ts'
import { indexConversations, type Progress, reindex } from '../search/reindex.ts'
import type { Search } from '../search/search.ts'

/** How often conversations are looked at, and how long one must have been quiet. */
const everyMs = 5000
const quietMs = 5000
const perRound = 20

/** What the index has yet to take in, for whoever asks; `null` when it is up to date. */
export type Indexing = { progress(): Progress | null }

export type IndexKeeper = Indexing & {
  /** Indexes what is out of date, then goes on taking in conversations until the function returned is called. */
  start(): () => Promise<void>
}

type KeeperDeps = { database: Database; kinds: Kinds; search: Search; logger: Logger; now: () => Date }

/** Keeps the search index complete in the background. Never rejects; a failure is logged and tried again. */
export function createIndexKeeper(deps: KeeperDeps): IndexKeeper {
  const { search, logger, now } = deps
  let current: Progress | null = null
  let upToDate = false

  async function catchUp(signal: AbortSignal): Promise<void> {
    const onProgress = (progress: Progress) => {
      if (!current) logger.info({ entities: progress.total }, 'indexing anew what was indexed in another way')
      current = progress
    }
    try {
      const done = await reindex(deps, { signal, onProgress })
      upToDate = !signal.aborted
      if (done === 0 || signal.aborted) return
      logger.info({ entities: done }, 'the search index is up to date')
      await search.maintain()
    } finally {
      current = null
    }
  }

  async function takeInConversations(): Promise<void> {
    const quiet_since = new Date(now().getTime() - quietMs)
    await indexConversations(deps, { quiet_since, limit: perRound })
  }

  async function keepUp(signal: AbortSignal): Promise<void> {
    if (await search.adoptAverageLengths()) upToDate = false
    await (upToDate ? takeInConversations() : catchUp(signal))
  }

  return {
    progress: () => current,
    start() {
      const controller = new AbortController()
      const { signal } = controller
      let busy = false
      let work: Promise<unknown> = Promise.resolve()
      const round = () => {
        if (busy) return
        busy = true
        work = keepUp(signal)
          .catch((error: unknown) => logger.warn({ err: error }, 'keeping the search index failed'))
          .finally(() => {
            busy = false
          })
      }
      round()
      const timer = setInterval(round, everyMs)
      return async () => {
        clearInterval(timer)
        controller.abort()
        await work
      }
    },
  }
}

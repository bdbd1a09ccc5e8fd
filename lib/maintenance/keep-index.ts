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

  async function catchUp(signal: AbortSignal): Promise<void> {
    let told = false
    const onProgress = (progress: Progress) => {
      if (!told) logger.info({ entities: progress.total }, 'indexing anew what an older analysis indexed')
      told = true
      current = progress
    }
    const done = await reindex(deps, { signal, onProgress })
    current = null
    if (done === 0) return
    logger.info({ entities: done }, 'the search index is up to date')
    await search.maintain()
  }

  async function takeInConversations(): Promise<void> {
    const quiet_since = new Date(now().getTime() - quietMs)
    await indexConversations(deps, { quiet_since, limit: perRound })
  }

  return {
    progress: () => current,
    start() {
      const controller = new AbortController()
      const { signal } = controller
      const guard = (work: Promise<unknown>) =>
        work.catch((error: unknown) => logger.warn({ err: error }, 'keeping the search index failed'))
      let work: Promise<unknown> = guard(catchUp(signal))
      let busy = false
      const timer = setInterval(() => {
        if (busy || current) return
        busy = true
        work = guard(takeInConversations()).finally(() => {
          busy = false
        })
      }, everyMs)
      return async () => {
        clearInterval(timer)
        controller.abort()
        await work
      }
    },
  }
}

import type { Deps } from '../api/deps.ts'
import { createSpacesRepo } from '../db/repos/spaces.ts'
import { emptyTrash } from './empty-trash.ts'
import { pruneTurnLogs } from './prune-turn-logs.ts'

const everyMs = 24 * 60 * 60 * 1000
const drillCheckMs = 60 * 60 * 1000
const mostWarmed = 50

/**
 * What a running server does by itself: counts the words of each Space so that the first question is quick, once a day
 * empties the trash and tidies the search index, and once an hour looks whether a drill is due. Never rejects; the
 * function returned ends it.
 */
export function startMaintenance(deps: Deps, trashDays: number): () => void {
  const { database, search, logger, now } = deps
  const guard = (what: string, work: () => Promise<unknown>) =>
    work().catch((error: unknown) => logger.warn({ err: error }, `${what} failed`))

  const tidy = async () => {
    await guard('emptying the trash', async () => {
      const removed = await emptyTrash(deps, trashDays)
      if (removed > 0) logger.info({ removed }, 'the trash was emptied')
    })
    await guard('pruning the logs of turns', () => pruneTurnLogs(database, now()))
    await guard('tidying the search index', () => search.maintain())
  }
  const warm = async () => {
    const filter = { within: null, deleted: false, before_id: null, limit: mostWarmed }
    const spaces = await createSpacesRepo(database).list(filter)
    await search.warm(spaces.map(({ id }) => id))
  }

  void guard('counting words', warm).then(() =>
    guard('emptying the trash', () => emptyTrash(deps, trashDays)),
  )
  const timer = setInterval(tidy, everyMs)
  const drillTimer = setInterval(() => guard('a drill', deps.drills.runDue), drillCheckMs)
  return () => {
    clearInterval(timer)
    clearInterval(drillTimer)
  }
}

import { pageDataJob } from '../../content/properties/catch-up.ts'
import { placeJob } from '../../content/writes/place-unplaced.ts'
import type { Logger } from '../../core/logger.ts'
import { createOAuthRecordsRepo } from '../../db/repos/agent_tokens.ts'
import { analyzeAllTables } from '../../db/repos/maintenance.ts'
import { createSpacesRepo } from '../../db/repos/spaces.ts'
import { createToolCallsRepo } from '../../db/repos/tool_calls.ts'
import { type Job, startJob } from '../../jobs/start-job.ts'
import type { Search } from '../../search/search.ts'
import { emptyTrash, type TrashDeps } from './empty-trash.ts'
import { createPruneTurnLogs, pruneCalls, pruneConversations } from './prune.ts'

type MaintenanceDeps = TrashDeps & {
  search: Pick<Search, 'warm' | 'maintain'>
  logger: Logger
}

/** Retention of deleted entities, of tool call records, and of turn logs. */
type Retention = { trashDays: number; callDays: number; callBytes: number; turnLogBytes: number }

const dayMs = 24 * 60 * 60 * 1000
const hourMs = 60 * 60 * 1000
/** How long after its beginning a call over MCP that has not ended counts as cut off by its server's end. */
const abandonedCallMs = 15 * 60_000
const maxWarmedSpaces = 50

/**
 * Starts a running server's maintenance: counts each Space's words so that the first question is quick, removes expired
 * records, tidies the search index and renews an embedded store's statistics once a day, parses pages whose tags
 * and properties are not stored yet, and places pages and files without a path. Returns a function that stops it.
 */
export function startMaintenance(deps: MaintenanceDeps, retention: Retention): () => Promise<void> {
  const { database, search, logger, now } = deps

  const purge = async () => {
    const removed = await emptyTrash(deps, retention.trashDays)
    if (removed > 0) logger.info({ removed }, 'emptied the trash')
    const conversations = await pruneConversations(deps, retention.trashDays)
    if (conversations > 0) logger.info({ conversations }, 'removed deleted conversations')
  }
  const warm = async () => {
    const filter = { within: null, deleted: false, before_id: null, limit: maxWarmedSpaces }
    const spaces = await createSpacesRepo(database).list(filter)
    await search.warm(spaces.map(({ id }) => id))
  }
  const pruneTurnLogs = createPruneTurnLogs(database, { maxBytes: retention.turnLogBytes })
  const calls = { days: retention.callDays, maxBytes: retention.callBytes }
  const cancelAbandonedCalls = () =>
    createToolCallsRepo(database).cancelAbandoned(new Date(now().getTime() - abandonedCallMs))
  const pruneOAuth = () => createOAuthRecordsRepo(database).prune(now())
  const analyzeJob: Job = {
    name: 'analyze',
    everyMs: dayMs,
    firstAfterMs: dayMs,
    run: () => analyzeAllTables(database),
  }
  const jobs: Job[] = [
    { name: 'empty-trash', everyMs: dayMs, run: purge },
    { name: 'prune-turn-logs', everyMs: hourMs, run: () => pruneTurnLogs(now()) },
    { name: 'cancel-abandoned-calls', everyMs: abandonedCallMs, run: cancelAbandonedCalls },
    { name: 'prune-calls', everyMs: dayMs, run: () => pruneCalls(deps, calls) },
    { name: 'tidy-search-index', everyMs: dayMs, firstAfterMs: dayMs, run: () => search.maintain() },
    ...(database.engine === 'pglite' ? [analyzeJob] : []),
    { name: 'prune-oauth', everyMs: dayMs, run: pruneOAuth },
    pageDataJob(deps),
    placeJob(deps),
  ]

  void warm().catch((error: unknown) => logger.warn({ err: error }, 'term count refresh failed'))
  const stops = jobs.map((job) => startJob(deps, job))
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}

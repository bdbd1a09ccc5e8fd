// Brings the search index up to date: after an upgrade that cuts or analyses texts differently, after a change of
// languages, or on request. Meanwhile searches use the previous index.

import { type Kind, searchParts, titleOf } from '../contract/entities/kind.ts'
import type { Kinds } from '../contract/entities/kinds.ts'
import type { Database, Queryable } from '../db/pool.ts'
import { listDeferred, mergeSaid } from '../db/repos/chunks.ts'
import {
  countUnindexed,
  deleteOrphans,
  listSaid,
  listUnindexed,
  listUnindexedConversations,
  lockForIndex,
  lockVersion,
  storeIndexedConversation,
  type UnindexedConversation,
} from '../db/repos/derived.ts'
import { maxIndexedAtOnce } from './index-document.ts'
import type { Search } from './search.ts'

export type ReindexDeps = { database: Database; kinds: Kinds; search: Search }

/** Progress: entities done, of the total at the start. */
export type Progress = { done: number; total: number }

type ReindexOptions = {
  /** Reindexes everything, not only outdated entities. */
  all?: boolean
  signal?: AbortSignal
  onProgress?: (progress: Progress) => void
}

/** Entities fetched per statement; each is indexed in its own transaction, so that other work can run in between. */
const pageSize = 100

/** Indexes missing and outdated entities; with `all`, everything. Returns their number. */
export async function reindex(deps: ReindexDeps, options: ReindexOptions = {}): Promise<number> {
  const { database, kinds, search } = deps
  const { all = false, signal, onProgress = () => {} } = options
  if (all) await deleteOrphans(database, kinds.searched)
  const total = await countUnindexed(database, kinds.searched, all ? '' : search.analysis)
  let done = 0
  if (total > 0) onProgress({ done, total })

  for (const kind of kinds.searched) {
    for (let after: string | null = null; !signal?.aborted; ) {
      const page = { analysis: search.analysis, after, limit: pageSize, all }
      const entities: { id: string }[] = await listUnindexed(database, kind, page)
      for (const { id } of entities) {
        if (signal?.aborted) return done
        await indexEntity(deps, { kind, id, all })
        done += 1
        onProgress({ done, total: Math.max(done, total) })
      }
      after = entities.at(-1)?.id ?? null
      if (entities.length < pageSize) break
    }
  }
  return done
}

/** Indexes entities whose text was too long to index when it was written. Returns their number. */
export async function indexDeferred(deps: ReindexDeps, signal: AbortSignal): Promise<number> {
  const page = await listDeferred(deps.database, pageSize)
  for (const { entity_id: id, entity_type } of page) {
    if (signal.aborted) break
    await indexEntity(deps, { kind: deps.kinds.get(entity_type), id, all: false })
  }
  return page.length
}

async function indexEntity(
  { database, search }: ReindexDeps,
  { kind, id, all }: { kind: Kind; id: string; all: boolean },
): Promise<void> {
  await database.checkRoom()
  const long = await database.transaction(async (tx) => {
    const row = await lockForIndex(tx, kind, id)
    if (!row) return null
    if (all) await search.remove(tx, id)
    const place = { space_id: row.space_id, entity_type: kind.type, entity_id: id }
    const document = { ...place, title: titleOf(row), text: kind.searchText(row) }
    if (document.text.length > maxIndexedAtOnce) return { document, version: row.version }
    await search.index(tx, { ...document, text: searchParts(kind, row) })
    return null
  })
  if (!long) return
  await search.indexInParts(long.document, async (tx) => (await lockVersion(tx, kind, id)) === long.version)
}

/**
 * Indexes at most `limit` conversations that have been quiet since a time and were active after `active_since`; fewer
 * if `makesWay`, called before each, returns true. Returns their number.
 */
export async function indexConversations(
  { database, search }: Pick<ReindexDeps, 'database' | 'search'>,
  options: { active_since?: Date | null; quiet_since: Date; limit?: number; makesWay?: () => boolean },
): Promise<number> {
  const { limit = 20, makesWay = () => false, ...times } = options
  const conversations = await listUnindexedConversations(database, {
    analysis: search.analysis,
    limit,
    ...times,
  })
  for (const conversation of conversations) {
    if (makesWay()) break
    await database.transaction((tx) => indexConversation(tx, search, conversation))
  }
  if (conversations.length > 0) await mergeSaid(database)
  return conversations.length
}

async function indexConversation(
  tx: Queryable,
  search: Search,
  conversation: UnindexedConversation,
): Promise<void> {
  if (!(await storeIndexedConversation(tx, conversation, search.analysis))) return
  const { id, space_id, title, upto } = conversation
  const text = await listSaid(tx, id, upto)
  await search.index(tx, { space_id, entity_type: 'conversation', entity_id: id, title, text })
}

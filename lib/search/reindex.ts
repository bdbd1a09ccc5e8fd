// Brings the search index up to what is stored: after an upgrade that cuts or analyses texts in another way, after a
// change of languages, or when somebody asks for it. What a search finds meanwhile is what was indexed before.

import { type Kind, titleOf } from '../contract/entities/kind.ts'
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
} from '../db/repos/unindexed.ts'
import { maxIndexedAtOnce } from './index-document.ts'
import type { Search } from './search.ts'

export type ReindexDeps = { database: Database; kinds: Kinds; search: Search }

/** What has been done, of what was to do when it began. */
export type Progress = { done: number; total: number }

type ReindexOptions = {
  /** Everything, not only what needs it. */
  all?: boolean
  signal?: AbortSignal
  onProgress?: (progress: Progress) => void
}

/** Entities looked for in one statement; each is indexed in a transaction of its own, so that others come in between. */
const pageSize = 100

/** Indexes what is not, or not as it would be now; with `all`, everything. How many entities that were. */
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
      const found: { id: string }[] = await listUnindexed(database, kind, page)
      for (const { id } of found) {
        if (signal?.aborted) return done
        await indexEntity(deps, { kind, id, all })
        done += 1
        onProgress({ done, total: Math.max(done, total) })
      }
      after = found.at(-1)?.id ?? null
      if (found.length < pageSize) break
    }
  }
  return done
}

/** Indexes entities whose text was too long for that when it was written; how many. */
export async function indexDeferred(deps: ReindexDeps, signal: AbortSignal): Promise<number> {
  const found = await listDeferred(deps.database, pageSize)
  for (const { entity_id: id, entity_type } of found) {
    if (signal.aborted) break
    await indexEntity(deps, { kind: deps.kinds.get(entity_type), id, all: false })
  }
  return found.length
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
    await search.index(tx, document)
    return null
  })
  if (!long) return
  await search.indexInParts(long.document, async (tx) => (await lockVersion(tx, kind, id)) === long.version)
}

/**
 * Takes in what was said in conversations that have been quiet since a time, and were not before `active_since`; at most
 * `limit` of them, and fewer once `makesWay`, asked before each, says so. How many there were.
 */
export async function indexConversations(
  { database, search }: Pick<ReindexDeps, 'database' | 'search'>,
  options: { active_since?: Date | null; quiet_since: Date; limit?: number; makesWay?: () => boolean },
): Promise<number> {
  const { limit = 20, makesWay = () => false, ...times } = options
  const found = await listUnindexedConversations(database, { analysis: search.analysis, limit, ...times })
  for (const conversation of found) {
    if (makesWay()) break
    await database.transaction((tx) => indexConversation(tx, search, conversation))
  }
  if (found.length > 0) await mergeSaid(database)
  return found.length
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

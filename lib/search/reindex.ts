// Brings the search index up to what is stored: after an upgrade that cuts or analyses texts in another way, after a
// change of languages, or when somebody asks for it. What a search finds meanwhile is what was indexed before.

import type { Database, Queryable } from '../db/pool.ts'
import {
  countUnindexed,
  deleteOrphans,
  keepIndexedConversation,
  listBodies,
  listUnindexed,
  listUnindexedConversations,
  lockForIndex,
  type UnindexedConversation,
} from '../db/repos/unindexed.ts'
import { type Kind, titleOf } from '../entities/kind.ts'
import type { Kinds } from '../entities/kinds.ts'
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
  if (all) await deleteOrphans(database, kinds.all)
  const total = await countUnindexed(database, kinds.all, all ? '' : search.analysis)
  let done = 0
  if (total > 0) onProgress({ done, total })

  for (const kind of kinds.all) {
    for (let after: string | null = null; !signal?.aborted; ) {
      const page = { analysis: search.analysis, after, limit: pageSize, all }
      const found: { id: string }[] = await listUnindexed(database, kind, page)
      for (const { id } of found) {
        if (signal?.aborted) return done
        await database.transaction((tx) => indexEntity(tx, { kind, search, id, all }))
        done += 1
        onProgress({ done, total: Math.max(done, total) })
      }
      after = found.at(-1)?.id ?? null
      if (found.length < pageSize) break
    }
  }
  return done
}

async function indexEntity(
  tx: Queryable,
  { kind, search, id, all }: { kind: Kind; search: Search; id: string; all: boolean },
): Promise<void> {
  const row = await lockForIndex(tx, kind, id)
  if (!row) return
  if (all) await search.remove(tx, id)
  const place = { space_id: row.space_id, entity_type: kind.type, entity_id: id }
  await search.index(tx, { ...place, title: titleOf(row), text: kind.searchText(row) })
}

/**
 * Takes in what was said in conversations that have been quiet since a time; at most `limit` of them. How many there
 * were.
 */
export async function indexConversations(
  { database, search }: Pick<ReindexDeps, 'database' | 'search'>,
  { quiet_since, limit = 20 }: { quiet_since: Date; limit?: number },
): Promise<number> {
  const quiet = { analysis: search.analysis, quiet_since: quiet_since.toISOString(), limit }
  const found = await listUnindexedConversations(database, quiet)
  for (const conversation of found) {
    await database.transaction((tx) => indexConversation(tx, search, conversation))
  }
  return found.length
}

async function indexConversation(
  tx: Queryable,
  search: Search,
  conversation: UnindexedConversation,
): Promise<void> {
  if (!(await keepIndexedConversation(tx, conversation, search.analysis))) return
  const { id, space_id, title, upto } = conversation
  const text = await listBodies(tx, id, upto)
  await search.index(tx, { space_id, entity_type: 'conversation', entity_id: id, title, text })
}

// Reads the pages whose text was not read as data yet, or in another way, with the links in it: after an upgrade, and where
// a server of an older release wrote them meanwhile.

import { type EntityRow, type Kind, titleOf } from '../../contract/entities/kind.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import type { Database, Tx } from '../../db/pool.ts'
import { createAuditRepo } from '../../db/repos/audit.ts'
import { createPagePropertiesRepo, lockForIndex } from '../../db/repos/derived.ts'
import type { Job } from '../../jobs/start-job.ts'
import { createLinkIndex } from '../links/link-index.ts'
import { reading, updatePageData } from './page-data.ts'

type CatchUpDeps = { database: Database; kinds: Kinds }

const everyMs = 600_000
/** Pages looked for in one statement; each is read in a transaction of its own. */
const pageSize = 100

/** The job that does it. */
export const pageDataJob = (deps: CatchUpDeps): Job => ({
  name: 'page-properties',
  everyMs,
  isDue: async () =>
    (await createPagePropertiesRepo(deps.database).listUnread(reading, { after: null, limit: 1 })).length > 0,
  run: (signal) => readUnreadPages(deps, signal),
})

/** Reads them all, the oldest first; how many there were. */
export async function readUnreadPages(
  { database, kinds }: CatchUpDeps,
  signal?: AbortSignal,
): Promise<number> {
  const kind = kinds.get('page')
  let done = 0
  for (let after: string | null = null; !signal?.aborted; ) {
    const ids: string[] = await createPagePropertiesRepo(database).listUnread(reading, {
      after,
      limit: pageSize,
    })
    for (const id of ids) {
      if (signal?.aborted) return done
      await database.checkRoom()
      await database.transaction(async (tx) => {
        await createAuditRepo(tx).lock()
        const row = await lockForIndex(tx, kind, id)
        if (row) await readAgain(tx, kind, row)
      })
      done += 1
    }
    after = ids.at(-1) ?? null
    if (ids.length < pageSize) break
  }
  return done
}

async function readAgain(tx: Tx, kind: Kind, row: EntityRow): Promise<void> {
  const path = typeof row.path === 'string' ? row.path : null
  const place = { space_id: row.space_id, entity_type: kind.type, entity_id: row.id }
  await createLinkIndex(tx).update(place, { title: titleOf(row), text: kind.searchText(row), path })
  await updatePageData(tx, row)
}

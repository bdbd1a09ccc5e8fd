// "As if": the real approval in a transaction that is rolled back, and the state just before it is. Nothing that lives
// outside the database takes part: no search index, no live events.

import { createWriter } from '../content/writes/write.ts'
import type { Preview } from '../contract/changes/pending-change.ts'
import type { Kinds } from '../contract/entities/kinds.ts'
import type { Actor } from '../core/actor.ts'
import { notFound } from '../core/errors.ts'
import type { Database, Tx } from '../db/pool.ts'
import { createPendingChangesRepo } from '../db/repos/pending_changes.ts'
import type { Search } from '../search/search.ts'
import { alreadyDecided } from './approval-errors.ts'
import { createApply } from './approve.ts'
import { orderByNeed } from './changeset-order.ts'
import { applyAll } from './changesets.ts'
import { checkDecides } from './decide.ts'
import { createLedger } from './ledger.ts'
import { loadPreview } from './load-preview.ts'

export type Previews = {
  /** Throws `AppError` as approving the draft would. */
  change(actor: Actor, id: string): Promise<Preview>
  /** Of all drafts of a changeset that wait. Throws `AppError` as approving it whole would. */
  changeset(actor: Actor, id: string): Promise<Preview>
}

export type PreviewDeps = {
  database: Database
  kinds: Kinds
  search: Search
  now: () => Date
}

export function createPreviews({ database, kinds, search, now }: PreviewDeps): Previews {
  const unindexed: Search = { ...search, index: async () => {}, remove: async () => {} }
  const apply = createApply({
    kinds,
    writer: createWriter({ kinds, search: unindexed, now }),
    ledger: createLedger({ onChange: () => {} }),
  })

  return {
    async change(actor, id) {
      checkDecides(actor)
      return await rolledBack(database, async (tx) => {
        const change = await createPendingChangesRepo(tx).lock(id)
        if (!change) throw notFound('pending change', id)
        if (change.status !== 'pending') throw alreadyDecided(change)
        return await loadPreview(tx, kinds, change.space_id, async () => {
          const { change: approved, refusal } = await apply(tx, actor, change)
          if (refusal) throw refusal
          return [approved]
        })
      })
    },

    async changeset(actor, id) {
      checkDecides(actor)
      return await rolledBack(database, async (tx) => {
        const changes = await createPendingChangesRepo(tx).lockChangeset(id)
        const [first] = changes
        if (!first) throw notFound('changeset', id)
        const waiting = changes.filter(({ status }) => status === 'pending')
        if (waiting.length === 0) throw alreadyDecided(first)
        const ordered = orderByNeed(kinds, waiting)
        return await loadPreview(tx, kinds, first.space_id, () =>
          applyAll({ tx, actor, kinds, apply }, ordered),
        )
      })
    },
  }
}

const rollBack = new Error('rolled back on purpose')

/** What `work` found in a transaction that leaves nothing behind. */
async function rolledBack<Result>(database: Database, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  const found: Result[] = []
  try {
    await database.transaction(async (tx) => {
      found.push(await work(tx))
      throw rollBack
    })
  } catch (error) {
    if (error !== rollBack) throw error
  }
  return found[0]!
}

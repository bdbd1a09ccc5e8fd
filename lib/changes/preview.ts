// "As if": the real approval in a transaction that is rolled back, and what stands there just before it is. Nothing
// that lives outside the database takes part: no search index, no news.

import type { Actor } from '../auth/actor.ts'
import type { PendingChange } from '../contract/card.ts'
import type { BrokenLink, EntityPreview, Preview } from '../contract/preview.ts'
import type { Database, Queryable } from '../db/pool.ts'
import { createDrillsRepo } from '../db/repos/drills.ts'
import { createEntitiesRepo } from '../db/repos/entities.ts'
import { createLinksRepo } from '../db/repos/links.ts'
import { createPageTreeRepo } from '../db/repos/page_tree.ts'
import { createPendingChangesRepo } from '../db/repos/pending_changes.ts'
import { createTasksRepo } from '../db/repos/tasks.ts'
import type { Kinds } from '../entities/kinds.ts'
import { notFound } from '../errors.ts'
import { listTitledBacklinks, withTitles } from '../links/titled-backlinks.ts'
import type { Search } from '../search/search.ts'
import { createApply, toWrite } from './approve.ts'
import { orderByNeed } from './changeset-order.ts'
import { applyAll } from './changesets.ts'
import { alreadyDecided, checkDecides } from './decide.ts'
import { createLedger } from './ledger.ts'
import { createWriter } from './write.ts'

export type Previews = {
  /** Throws `AppError` as approving the draft would. */
  change(actor: Actor, id: string): Promise<Preview>
  /** Of all drafts of a changeset that wait. Throws `AppError` as approving it whole would. */
  changeset(actor: Actor, id: string): Promise<Preview>
}

export type PreviewDeps = { database: Database; kinds: Kinds; search: Search; now: () => Date }

/** Children and tasks that are shown. */
const most = 200

export function createPreviews({ database, kinds, search, now }: PreviewDeps): Previews {
  const unindexed: Search = { ...search, index: async () => {}, remove: async () => {} }
  const writer = createWriter({ kinds, search: unindexed, now })
  const apply = createApply({ kinds, writer, ledger: createLedger({ onChange: () => {} }) })

  return {
    async change(actor, id) {
      checkDecides(actor)
      return await rolledBack(database, async (tx) => {
        const change = await createPendingChangesRepo(tx).lock(id)
        if (!change) throw notFound('pending change', id)
        if (change.status !== 'pending') throw alreadyDecided(change)
        return await preview(tx, change.space_id, async () => {
          // A drill is never approved, not even here; but it must look like any other draft until it is decided.
          if (await createDrillsRepo(tx).isDrill(id)) {
            await writer.write(tx, toWrite(change), { actor })
            return [change]
          }
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
        return await preview(tx, first.space_id, () => applyAll({ tx, actor, kinds, apply }, ordered))
      })
    },
  }

  async function preview(
    tx: Queryable,
    spaceId: string,
    approve: () => Promise<PendingChange[]>,
  ): Promise<Preview> {
    const links = createLinksRepo(tx)
    const before = await links.listUnresolved(spaceId)
    const approved = await approve()
    const after = await links.listUnresolved(spaceId)

    const entities: EntityPreview[] = []
    for (const [id, { entity_type }] of new Map(approved.map((change) => [change.entity_id, change]))) {
      entities.push(await describe(tx, { space_id: spaceId, entity_type, id }))
    }
    const shown = new Set(entities.map(({ entity_id }) => entity_id))
    const elsewhere = (rows: Unresolved[], others: Unresolved[]) => {
      const known = new Set(others.map(keyOf))
      return rows.filter((row) => !known.has(keyOf(row)) && !shown.has(row.entity_id))
    }
    return {
      entities,
      broken: await titled(tx, spaceId, elsewhere(after, before)),
      mended: await titled(tx, spaceId, elsewhere(before, after)),
    }
  }

  async function describe(
    tx: Queryable,
    { space_id, entity_type, id }: { space_id: string; entity_type: string; id: string },
  ): Promise<EntityPreview> {
    const entity = await createEntitiesRepo(tx).findWithinSpaces(kinds.get(entity_type), [space_id], id)
    if (!entity) throw notFound(entity_type, id)
    const pages = entity_type === 'page' ? await createPageTreeRepo(tx).listBelow(space_id, [id], most) : []
    return {
      entity_type,
      entity_id: id,
      entity,
      links: await createLinksRepo(tx).listFrom(space_id, id),
      backlinks: await listTitledBacklinks(tx, kinds, { space_id, id }),
      tasks: entity_type === 'project' ? await createTasksRepo(tx).listOfProject(space_id, id, most) : [],
      children: pages.map(({ id, title }) => ({ id, title })),
    }
  }

  async function titled(tx: Queryable, spaceId: string, rows: Unresolved[]): Promise<BrokenLink[]> {
    const titles = new Map(
      (await withTitles(tx, kinds, spaceId, rows)).map(({ entity_id, title }) => [entity_id, title]),
    )
    return rows.flatMap(({ entity_type, entity_id, name }) => {
      const title = titles.get(entity_id)
      return title === undefined ? [] : [{ entity_type, entity_id, title, name }]
    })
  }
}

type Unresolved = { entity_type: string; entity_id: string; name: string }

const keyOf = ({ entity_id, name }: Unresolved) => `${entity_id} ${name}`

const rollBack = new Error('rolled back on purpose')

/** What `work` found in a transaction that leaves nothing behind. */
async function rolledBack<Result>(
  database: Database,
  work: (tx: Queryable) => Promise<Result>,
): Promise<Result> {
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

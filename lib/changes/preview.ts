// "As if": the real approval in a transaction that is rolled back, and the state just before it is. Nothing that lives
// outside the database takes part: no search index, no live events.

import { listTitledBacklinks, withTitles } from '../content/links/backlinks.ts'
import { readsLabelFirst } from '../content/links/label-order.ts'
import { pathOf } from '../content/writes/place-entity.ts'
import { createWriter, type IndexWrites } from '../content/writes/write.ts'
import type { BrokenLink, EntityPreview, PendingChange, Preview } from '../contract/changes/pending-change.ts'
import type { Kinds } from '../contract/entities/kinds.ts'
import type { Actor } from '../core/actor.ts'
import { notFound } from '../core/errors.ts'
import type { Calendar } from '../core/schedule/calendar.ts'
import type { Database, Queryable, Tx } from '../db/pool.ts'
import { createEntitiesRepo } from '../db/repos/entities.ts'
import { createTasksRepo } from '../db/repos/home.ts'
import { createLinksRepo } from '../db/repos/links.ts'
import { createPageTreeRepo } from '../db/repos/page_tree.ts'
import { createPendingChangesRepo } from '../db/repos/pending_changes.ts'
import { alreadyDecided, createApply } from './approve.ts'
import { applyAll, orderByNeed } from './changesets.ts'
import { checkDecides } from './decide.ts'
import { createDraftStates } from './draft-states.ts'

export type Previews = {
  /** Throws `AppError` as approving the draft would. */
  change(actor: Actor, id: string): Promise<Preview>
  /** Of all drafts of a changeset that wait. Throws `AppError` as approving it whole would. */
  changeset(actor: Actor, id: string): Promise<Preview>
}

type PreviewDeps = {
  database: Database
  kinds: Kinds
  calendar: Calendar
}

const unindexed: IndexWrites = { index: async () => {}, defer: async () => {}, remove: async () => {} }

export function createPreviews({ database, kinds, calendar }: PreviewDeps): Previews {
  const apply = createApply({
    kinds,
    writer: createWriter({ kinds, search: unindexed, calendar }),
    states: createDraftStates(() => {}),
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

/** Children and tasks that are shown. */
const maxChildren = 200

/** The state that `approve` leaves, described in the transaction that it ran in. */
async function loadPreview(
  tx: Queryable,
  kinds: Kinds,
  spaceId: string,
  approve: () => Promise<PendingChange[]>,
): Promise<Preview> {
  const links = createLinksRepo(tx)
  const before = await links.listUnresolved(spaceId)
  const approved = await approve()
  const after = await links.listUnresolved(spaceId)

  const entities: EntityPreview[] = []
  for (const [id, { entity_type }] of new Map(approved.map((change) => [change.entity_id, change]))) {
    entities.push(await describe(tx, kinds, { space_id: spaceId, entity_type, id }))
  }
  const shown = new Set(entities.map(({ entity_id }) => entity_id))
  const elsewhere = (rows: Unresolved[], others: Unresolved[]) => {
    const known = new Set(others.map(keyOf))
    return rows.filter((row) => !known.has(keyOf(row)) && !shown.has(row.entity_id))
  }
  return {
    entities,
    broken: await titled(tx, kinds, spaceId, elsewhere(after, before)),
    mended: await titled(tx, kinds, spaceId, elsewhere(before, after)),
  }
}

async function describe(
  tx: Queryable,
  kinds: Kinds,
  { space_id, entity_type, id }: { space_id: string; entity_type: string; id: string },
): Promise<EntityPreview> {
  const entity = await createEntitiesRepo(tx).findWithinSpaces(kinds.get(entity_type), [space_id], id)
  if (!entity) throw notFound(entity_type, id)
  const pages =
    entity_type === 'page' ? await createPageTreeRepo(tx).listBelow(space_id, [id], maxChildren) : []
  return {
    entity_type,
    entity_id: id,
    entity,
    links: await createLinksRepo(tx).listFrom(space_id, id),
    truncated: await createLinksRepo(tx).isTruncated(space_id, id),
    label_first: await readsLabelFirst(tx, space_id, {
      text: kinds.get(entity_type).searchText(entity),
      path: pathOf(entity),
    }),
    backlinks: await listTitledBacklinks(tx, kinds, { space_id, id }),
    tasks:
      entity_type === 'project' ? await createTasksRepo(tx).listOfProject(space_id, id, maxChildren) : [],
    children: pages.map(({ id, title }) => ({ id, title })),
  }
}

async function titled(
  tx: Queryable,
  kinds: Kinds,
  spaceId: string,
  rows: Unresolved[],
): Promise<BrokenLink[]> {
  const titles = new Map(
    (await withTitles(tx, kinds, spaceId, rows)).map(({ entity_id, title }) => [entity_id, title]),
  )
  return rows.flatMap(({ entity_type, entity_id, name }) => {
    const title = titles.get(entity_id)
    return title === undefined ? [] : [{ entity_type, entity_id, title, name }]
  })
}

type Unresolved = { entity_type: string; entity_id: string; name: string }

const keyOf = ({ entity_id, name }: Unresolved) => `${entity_id} ${name}`

import { listTitledBacklinks, withTitles } from '../content/links/extract.ts'
import type { BrokenLink, EntityPreview, PendingChange, Preview } from '../contract/changes/pending-change.ts'
import type { Kinds } from '../contract/entities/kinds.ts'
import { notFound } from '../core/errors.ts'
import type { Queryable } from '../db/pool.ts'
import { createEntitiesRepo } from '../db/repos/entities.ts'
import { createLinksRepo } from '../db/repos/links.ts'
import { createPageTreeRepo } from '../db/repos/page_tree.ts'
import { createTasksRepo } from '../db/repos/tasks.ts'

/** Children and tasks that are shown. */
const maxChildren = 200

/** The state that `approve` leaves, described in the transaction that it ran in. */
export async function loadPreview(
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

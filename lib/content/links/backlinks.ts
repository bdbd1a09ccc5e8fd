// What links to an entity, and entities with their titles.

import type { Kinds } from '../../contract/entities/kinds.ts'
import type { Queryable } from '../../db/pool.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { listBacklinks, type TitledBacklink } from '../../db/repos/links.ts'

/** What links to an entity, kind by kind, with its title; what is in the trash is left out. */
export async function listTitledBacklinks(
  db: Queryable,
  kinds: Kinds,
  entity: { space_id: string; id: string },
): Promise<TitledBacklink[]> {
  const backlinks = await listBacklinks(db, kinds.all, entity)
  return [...Map.groupBy(backlinks, ({ entity_type }) => entity_type).values()].flat()
}

/** The entities that exist, kind by kind and then in the order given, with their titles; each once. */
export async function withTitles(
  db: Queryable,
  kinds: Kinds,
  spaceId: string,
  entities: readonly { entity_type: string; entity_id: string }[],
): Promise<TitledBacklink[]> {
  const titled: TitledBacklink[] = []

  for (const [type, group] of Map.groupBy(entities, ({ entity_type }) => entity_type)) {
    const ids = [...new Set(group.map(({ entity_id }) => entity_id))]
    const rows = await createEntitiesRepo(db).listTitles(kinds.get(type), [spaceId], ids)
    const titles = new Map(rows.map(({ id, title }) => [id, title]))
    for (const id of ids) {
      const title = titles.get(id)
      if (title !== undefined) titled.push({ entity_type: type, entity_id: id, title })
    }
  }
  return titled
}

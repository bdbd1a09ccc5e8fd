import type { Queryable } from '../db/pool.ts'
import { createEntitiesRepo } from '../db/repos/entities.ts'
import { createLinksRepo } from '../db/repos/links.ts'
import type { Kinds } from '../entities/kinds.ts'

export type TitledBacklink = { entity_type: string; entity_id: string; title: string }

/** What links to an entity, kind by kind, with its title; what is in the trash is left out. */
export async function listTitledBacklinks(
  db: Queryable,
  kinds: Kinds,
  { space_id, id }: { space_id: string; id: string },
): Promise<TitledBacklink[]> {
  const links = await createLinksRepo(db).listBacklinks(space_id, id)
  const byType = Map.groupBy(links, ({ entity_type }) => entity_type)
  const titled: TitledBacklink[] = []

  for (const [type, group] of byType) {
    const ids = group.map(({ entity_id }) => entity_id)
    const rows = await createEntitiesRepo(db).listTitles(kinds.get(type), space_id, ids)
    titled.push(...rows.map((row) => ({ entity_type: type, entity_id: row.id, title: row.title })))
  }
  return titled
}

import type { Mention } from '../contract/companion/companion.ts'
import type { Kinds } from '../contract/entities/kinds.ts'
import { notFound } from '../core/errors.ts'
import type { Queryable } from '../db/pool.ts'
import { createEntitiesRepo } from '../db/repos/entities.ts'

/** Pages that a message names, each once. Throws a 404 `AppError` for one that is not in the Space. */
export async function findMentionedPages(
  { database, kinds }: { database: Queryable; kinds: Kinds },
  spaceId: string,
  ids: readonly string[],
): Promise<Mention[]> {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))]
  const found = await createEntitiesRepo(database).listTitles(kinds.get('page'), [spaceId], wanted)
  const titles = new Map(found.map(({ id, title }) => [id, title]))
  return wanted.map((id) => {
    const title = titles.get(id)
    if (title === undefined) throw notFound('page', id)
    return { id, title }
  })
}

import type { Favourite } from '../contract/space/favourites.ts'
import type { Database, Queryable } from '../db/pool.ts'
import { createAuditRepo } from '../db/repos/audit.ts'
import { createFavouritesRepo } from '../db/repos/spaces.ts'
import { AppError } from '../errors.ts'
import type { Live } from '../live/live.ts'

/** The favourite pages of a Space, in the owner's order. */
export const listFavourites = (db: Queryable, spaceId: string): Promise<Favourite[]> =>
  createFavouritesRepo(db).list(spaceId)

/** Makes these pages the favourites. Throws a 404 `AppError` where one is not in the Space, or is in its trash. */
export async function setFavourites(
  { database, live }: { database: Database; live: Live },
  spaceId: string,
  pageIds: readonly string[],
): Promise<Favourite[]> {
  const favourites = await database.transaction(async (tx) => {
    // As all writers do, so that two of them, or one and a deletion, wait instead of holding what the other needs.
    await createAuditRepo(tx).lock()
    const repo = createFavouritesRepo(tx)
    if ((await repo.replace(spaceId, pageIds)) < pageIds.length)
      throw new AppError('not_found', 404, 'One of these pages is not in this Space.')
    return await repo.list(spaceId)
  })
  live.publish({ type: 'space', data: { id: spaceId, action: 'update' } })
  return favourites
}

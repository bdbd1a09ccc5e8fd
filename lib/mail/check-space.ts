import type { Queryable } from '../db/pool.ts'
import { createSpacesRepo } from '../db/repos/spaces.ts'
import { notFound } from '../errors.ts'

/** Throws a 404 `AppError` for a Space that is not there. */
export async function checkSpace(db: Queryable, spaceId: string): Promise<void> {
  if (!(await createSpacesRepo(db).find(spaceId, null))) throw notFound('Space', spaceId)
}

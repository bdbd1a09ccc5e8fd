// The owner's changes to Spaces, and their events for open tabs.

import { createSpace, type NewSpace, setSpaceDeleted, updateSpace } from '../content/writes/write-space.ts'
import type { Actor } from '../core/actor.ts'
import { notFound } from '../core/errors.ts'
import type { Database } from '../db/pool.ts'
import { createSpacesRepo, type SpaceFields, type SpaceRow } from '../db/repos/spaces.ts'
import type { Live } from './live/live.ts'

export type Spaces = {
  /** Throws a 409 `AppError` `slug_taken`; without a slug, a free one is made from the name. */
  create(actor: Actor, space: NewSpace): Promise<SpaceRow>
  /** Throws `AppError`: 404, 409 `stale_version`, 409 `slug_taken`. */
  update(
    actor: Actor,
    change: { id: string; version: number; fields: Partial<SpaceFields> },
  ): Promise<SpaceRow>
  /** Puts a Space in the trash; `version` null: any version. Throws `AppError`: 404, 409 `stale_version`. */
  remove(actor: Actor, id: string, version: number | null): Promise<SpaceRow>
  /** Restores a Space from the trash. Throws a 404 `AppError` if it is not there. */
  restore(actor: Actor, id: string): Promise<SpaceRow>
}

export type SpacesDeps = { database: Database; live: Live; now: () => Date }

export function createSpaces({ database, live, now }: SpacesDeps): Spaces {
  const announce = (action: 'create' | 'update' | 'delete' | 'restore', row: SpaceRow): SpaceRow => {
    live.publish({ type: 'space', data: { id: row.id, action } })
    return row
  }

  return {
    async create(actor, space) {
      return announce('create', await createSpace(database, actor, space))
    },

    async update(actor, change) {
      return announce('update', await updateSpace(database, actor, change))
    },

    async remove(actor, id, version) {
      const deletedAt = now().toISOString()
      return announce('delete', await setSpaceDeleted(database, actor, { id, version, deletedAt }))
    },

    async restore(actor, id) {
      const deleted = await createSpacesRepo(database).find(id, null, true)
      if (!deleted) throw notFound('deleted Space', id)
      return announce(
        'restore',
        await setSpaceDeleted(database, actor, { id, version: null, deletedAt: null }),
      )
    },
  }
}

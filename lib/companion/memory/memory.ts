// Memory as the owner has it: the page of a Space, the one of all Spaces, and whether the companion may propose lines.

import type { EntityRow } from '../../contract/entities/kind.ts'
import type { Actor } from '../../core/actor.ts'
import { notFound } from '../../core/errors.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createMemoryPagesRepo, type MemorySettings, type ReservedPage } from '../../db/repos/memory_pages.ts'
import { createSpacesRepo } from '../../db/repos/spaces.ts'
import { everywhereTitle, memoryTitle } from './memory-places.ts'
import { type PurgeDeps, type Purged, purgeMemory } from './purge-memory.ts'

type MemoryPage = EntityRow & { asks: boolean }

export type Memory = {
  /** The page of a Space; an empty one is created for the owner who asks where there is none. */
  page(actor: Actor, spaceId: string): Promise<MemoryPage>
  /** The page of all Spaces, in the first of them where there is none. Throws a 404 `AppError` without any Space. */
  everywhere(actor: Actor): Promise<MemoryPage>
  settings(spaceId: string): Promise<MemorySettings>
  setAsks(spaceId: string, asks: boolean | undefined): Promise<MemorySettings>
  /**
   * Removes a line from the page of a Space, or with `null` from that of all Spaces, and from its history. Throws as
   * `purgeMemory`, and a 404 `AppError` where there is no such page.
   */
  purge(actor: Actor, spaceId: string | null, text: string): Promise<Purged>
}

export function createMemory(deps: PurgeDeps): Memory {
  const { database, kinds, writer } = deps
  const kind = kinds.get('page')
  const memory = createMemoryPagesRepo(database)

  return {
    page: async (actor, spaceId) => await open(actor, await memory.reserve(spaceId), memoryTitle),

    async everywhere(actor) {
      const [first] = await createSpacesRepo(database).list({
        within: null,
        deleted: false,
        before_id: null,
        limit: 1,
      })
      if (!first) throw notFound('Space', 'for memory')
      return await open(actor, await memory.reserveEverywhere(first.id), everywhereTitle)
    },

    async purge(actor, spaceId, text) {
      const place = await memory.find(spaceId)
      if (!place) throw notFound('memory page', spaceId ?? 'of all Spaces')
      return await purgeMemory(deps, actor, { ...place, everywhere: spaceId === null, text })
    },

    settings: (spaceId) => memory.settings(spaceId),

    async setAsks(spaceId, asks) {
      await memory.reserve(spaceId)
      if (asks !== undefined) await memory.setAsks(spaceId, asks)
      return await memory.settings(spaceId)
    },
  }

  async function open(
    actor: Actor,
    { page_id: id, space_id, asks }: ReservedPage,
    title: string,
  ): Promise<MemoryPage> {
    const row = await database.transaction(async (tx) => {
      // Of two requests at once, the second one waits here and finds the page.
      await createMemoryPagesRepo(tx).lock(id)
      const found = await createEntitiesRepo(tx).find(kind, space_id, id)
      const page = { action: 'create' as const, type: kind.type, space_id, id, fields: { title } }
      return found ?? (await writer.write(tx, page, { actor }))
    })
    return { ...row, asks }
  }
}

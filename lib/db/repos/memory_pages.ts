import { v7 as uuid } from 'uuid'
import type { Queryable } from '../pool.ts'

/** A memory page as turns read it. */
export type MemoryPageRow = {
  page_id: string
  space_id: string
  everywhere: boolean
  asks: boolean
  body: string
  version: number
  updated_at: string
  origin: string
  created_by: string
  updated_by: string
}

/** An id that is kept for a memory page, whether there is a page or not. */
export type ReservedPage = Pick<MemoryPageRow, 'page_id' | 'space_id' | 'asks'>

export function createMemoryPagesRepo(db: Queryable) {
  return {
    /** The pages that turns in a Space read: its own, and the owner's of all Spaces. */
    async listRead(spaceId: string): Promise<MemoryPageRow[]> {
      const { rows } = await db.query<MemoryPageRow>(
        `select page_id, memory_pages.space_id, everywhere, asks, body, version, updated_at, origin, created_by, updated_by
         from memory_pages
         join pages on pages.id = page_id and pages.space_id = memory_pages.space_id and deleted_at is null
         where memory_pages.space_id = $1 or everywhere
         order by everywhere, page_id`,
        [spaceId],
      )
      return rows
    },

    /** The id of the page of a Space. One whose page was deleted gets another. */
    async reserve(spaceId: string): Promise<ReservedPage> {
      return await this.reserveAny(spaceId, false)
    },

    /** The id of the owner's page of all Spaces, which is kept in a Space: in this one where there is none yet. */
    async reserveEverywhere(spaceId: string): Promise<ReservedPage> {
      return await this.reserveAny(spaceId, true)
    },

    async reserveAny(spaceId: string, everywhere: boolean): Promise<ReservedPage> {
      const key = everywhere ? '(everywhere) where everywhere' : '(space_id) where not everywhere'
      const { rows } = await db.query<ReservedPage>(
        `insert into memory_pages (page_id, space_id, everywhere)
         values ($1, $2, $3)
         on conflict ${key} do update
         set page_id = case
               when exists (
                 select from pages
                 join spaces on spaces.id = pages.space_id
                 where pages.id = memory_pages.page_id
                   and (pages.deleted_at is not null or spaces.deleted_at is not null)
               ) then excluded.page_id
               else memory_pages.page_id
             end,
             space_id = case
               when exists (
                 select from spaces where spaces.id = memory_pages.space_id and spaces.deleted_at is not null
               ) then excluded.space_id
               else memory_pages.space_id
             end
         returning page_id, space_id, asks`,
        [uuid(), spaceId, everywhere],
      )
      return rows[0]!
    },

    /** Whether a page is a memory page, by its id. */
    async isMemory(spaceId: string, pageId: string): Promise<boolean> {
      const { rows } = await db.query('select from memory_pages where space_id = $1 and page_id = $2', [
        spaceId,
        pageId,
      ])
      return rows.length > 0
    },

    /** Those among the ids that are of memory pages. */
    async listAmong(ids: readonly string[]): Promise<Set<string>> {
      const { rows } = await db.query<{ page_id: string }>(
        'select page_id from memory_pages where page_id = any($1)',
        [ids],
      )
      return new Set(rows.map(({ page_id }) => page_id))
    },

    /** Whether a turn has drafted a line for a memory page, whatever became of it. */
    async isDraftedIn(place: { space_id: string; entity_id: string }, turnId: string): Promise<boolean> {
      const { rows } = await db.query(
        'select from pending_changes where space_id = $1 and entity_id = $2 and turn_id = $3 limit 1',
        [place.space_id, place.entity_id, turnId],
      )
      return rows.length > 0
    },

    /** Until the transaction ends. */
    async lock(pageId: string): Promise<void> {
      await db.query('select from memory_pages where page_id = $1 for update', [pageId])
    },

    async setAsks(spaceId: string, asks: boolean): Promise<void> {
      await db.query('update memory_pages set asks = $2 where space_id = $1 and not everywhere', [
        spaceId,
        asks,
      ])
    },
  }
}

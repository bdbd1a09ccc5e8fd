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

/** What is set for the memory of a Space, whether it has a page or not. */
export type MemorySettings = Pick<MemoryPageRow, 'space_id' | 'asks'>

export function createMemoryPagesRepo(db: Queryable) {
  return {
    /** The pages that turns in a Space read: its own, and the owner's of all Spaces. */
    async listRead(spaceId: string): Promise<MemoryPageRow[]> {
      const { rows } = await db.query<MemoryPageRow>(
        `select page_id, memory_pages.space_id, everywhere, asks, body, version, updated_at, origin, created_by, updated_by
         from memory_pages
         join pages on pages.id = page_id and pages.space_id = memory_pages.space_id and deleted_at is null
         where (memory_pages.space_id = $1 or everywhere)
           and exists (select from spaces where spaces.id = memory_pages.space_id and spaces.deleted_at is null)
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

    /** The page of a Space, or with `null` the one of all Spaces, also one that is in the trash or not made yet. */
    async find(spaceId: string | null): Promise<ReservedPage | null> {
      const { rows } = await db.query<ReservedPage>(
        `select page_id, space_id, asks
         from memory_pages
         where case when $1::uuid is null then everywhere else space_id = $1 and not everywhere end`,
        [spaceId],
      )
      return rows[0] ?? null
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

    /** Those among the ids that are of memory pages, and whether that is the one of all Spaces. */
    async listAmong(ids: readonly string[]): Promise<Map<string, boolean>> {
      const { rows } = await db.query<{ page_id: string; everywhere: boolean }>(
        'select page_id, everywhere from memory_pages where page_id = any($1)',
        [ids],
      )
      return new Map(rows.map(({ page_id, everywhere }) => [page_id, everywhere]))
    },

    /** Whether a turn in a Space has drafted a line for the memory of that or of all Spaces, whatever became of it. */
    async isDraftedIn(spaceId: string, turnId: string): Promise<boolean> {
      const { rows } = await db.query(
        `select
         from pending_changes
         join memory_pages on page_id = entity_id
         where turn_id = $2 and (memory_pages.space_id = $1 or everywhere)
         limit 1`,
        [spaceId, turnId],
      )
      return rows.length > 0
    },

    /** Until the transaction ends. */
    async lock(pageId: string): Promise<void> {
      await db.query('select from memory_pages where page_id = $1 for update', [pageId])
    },

    async settings(space_id: string): Promise<MemorySettings> {
      const { rows } = await db.query<Pick<MemoryPageRow, 'asks'>>(
        'select asks from memory_pages where space_id = $1 and not everywhere',
        [space_id],
      )
      return { space_id, asks: rows[0]?.asks ?? true }
    },

    async setAsks(spaceId: string, asks: boolean): Promise<void> {
      await db.query('update memory_pages set asks = $2 where space_id = $1 and not everywhere', [
        spaceId,
        asks,
      ])
    },
  }
}

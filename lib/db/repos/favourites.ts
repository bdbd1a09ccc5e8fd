import type { Favourite } from '../../contract/space/favourites.ts'
import type { Queryable } from '../pool.ts'

/** Favourite pages of a Space. One in the trash keeps its place. */
export function createFavouritesRepo(db: Queryable) {
  return {
    async list(spaceId: string): Promise<Favourite[]> {
      const { rows } = await db.query<Favourite>(
        `select pages.id, pages.title
         from favourites
         join pages on pages.space_id = favourites.space_id and pages.id = favourites.page_id
         where favourites.space_id = $1 and pages.deleted_at is null
         order by place, pages.id`,
        [spaceId],
      )
      return rows
    },

    /**
     * Makes these pages the favourites, in this order, and says how many of them there are in the Space. Those in the
     * trash stay what they are.
     */
    async replace(spaceId: string, pageIds: readonly string[]): Promise<number> {
      await db.query(
        `delete from favourites
         using pages
         where favourites.space_id = $1 and pages.space_id = $1 and pages.id = page_id
           and pages.deleted_at is null and page_id <> all($2)`,
        [spaceId, pageIds],
      )
      const { rows } = await db.query(
        `insert into favourites (space_id, page_id, place)
         select pages.space_id, pages.id, chosen.place
         from unnest($2::uuid[]) with ordinality as chosen (page_id, place)
         join pages on pages.space_id = $1 and pages.id = chosen.page_id and pages.deleted_at is null
         order by pages.id
         on conflict (space_id, page_id) do update set place = excluded.place
         returning page_id`,
        [spaceId, pageIds],
      )
      return rows.length
    },
  }
}

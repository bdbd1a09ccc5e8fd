import type { Queryable } from '../pool.ts'

/** The first of many by name, and how many there are in all. */
export type NamedCount = { titles: string[]; total: number }

/** What a Space is made of, by name alone. */
export function createOutlineRepo(db: Queryable) {
  // Only the beginnings of titles are sorted and read: long ones cost, and a list of names needs no more.
  async function read(rows: string, order: string, values: readonly unknown[]): Promise<NamedCount> {
    const { rows: found } = await db.query<NamedCount>(
      `select
         array(
           select left(title, 300)
           ${rows}
           order by ${order}, lower(left(title, 40)), id
           limit $2
         ) as titles,
         (select count(*) ${rows}) as total`,
      [...values],
    )
    return found[0] ?? { titles: [], total: 0 }
  }

  return {
    /** The pages at the top of the tree, in its order. */
    async topPages(spaceId: string, limit: number): Promise<NamedCount> {
      const rows = `from pages
           where space_id = $1 and deleted_at is null
             and not exists (
               select from pages parent where parent.id = pages.parent_id and parent.deleted_at is null
             )`
      return await read(rows, 'position', [spaceId, limit])
    },

    /** The projects, those that are under way first. */
    async projects(spaceId: string, limit: number): Promise<NamedCount> {
      const rows = 'from projects where space_id = $1 and deleted_at is null'
      return await read(rows, `status <> 'active'`, [spaceId, limit])
    },
  }
}

import type { Queryable } from '../pool.ts'

export type PageData = {
  page_id: string
  space_id: string
  version: number
  reading: number
  /** In the form in which they are compared, and as they are written, in the same order. */
  tags: string[]
  tag_names: string[]
  properties: Record<string, unknown>
}

export type TagCount = { tag: string; name: string; count: number }

export type KnownProperty = { key: string; name: string; types: string[]; count: number }

/** What the texts of pages hold as data. */
export function createPagePropertiesRepo(db: Queryable) {
  return {
    async store({
      page_id,
      space_id,
      version,
      reading,
      tags,
      tag_names,
      properties,
    }: PageData): Promise<void> {
      await db.query(
        `insert into page_properties (page_id, space_id, version, reading, tags, tag_names, properties)
         values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (page_id) do update
         set version = excluded.version, reading = excluded.reading, tags = excluded.tags,
           tag_names = excluded.tag_names, properties = excluded.properties`,
        [page_id, space_id, version, reading, tags, tag_names, JSON.stringify(properties)],
      )
    },

    async remove(spaceId: string, pageId: string): Promise<void> {
      await db.query('delete from page_properties where space_id = $1 and page_id = $2', [spaceId, pageId])
    },

    /** Pages whose data is not that of their text, in the order of their ids, from after one on. */
    async listUnread(
      reading: number,
      { after, limit }: { after: string | null; limit: number },
    ): Promise<string[]> {
      const { rows } = await db.query<{ id: string }>(
        `select pages.id
         from pages
         left join page_properties data on data.page_id = pages.id
         where pages.deleted_at is null
           and ($2::uuid is null or pages.id > $2)
           and (data.page_id is null or data.reading <> $1 or data.version <> pages.version)
         order by pages.id
         limit $3`,
        [reading, after, limit],
      )
      return rows.map(({ id }) => id)
    },

    /** The tags of a Space and how many pages have each, or one nested in it; by name, at most `limit`. */
    async listTags(spaceId: string, limit: number): Promise<TagCount[]> {
      const { rows } = await db.query<TagCount>(
        `select one.tag, (array_agg(one.name order by page_id))[1] as name, count(*)::integer as count
         from page_properties
         cross join lateral unnest(tags, tag_names) as one (tag, name)
         where space_id = $1
         group by one.tag
         order by one.tag collate "C"
         limit $2`,
        [spaceId, limit],
      )
      return rows
    },

    /** The properties that pages of a Space have, those of most pages first. */
    async listNames(spaceId: string, limit: number): Promise<KnownProperty[]> {
      const { rows } = await db.query<KnownProperty>(
        `select one.key, (array_agg(one.value ->> 'name' order by page_id))[1] as name,
                array_agg(distinct one.value ->> 'type') as types, count(*)::integer as count
         from page_properties
         cross join lateral jsonb_each(properties) as one (key, value)
         where space_id = $1 and one.key not in ('file.name', 'file.tags')
         group by one.key
         order by count(*) desc, one.key collate "C"
         limit $2`,
        [spaceId, limit],
      )
      return rows
    },
  }
}

import type { Kind } from '../../contract/entities/kind.ts'
import type { SpaceOverview } from '../../contract/space/home.ts'
import type { Queryable } from '../pool.ts'

/** What is in a Space, for its home and the navigation. */
export function createContentsRepo(db: Queryable) {
  return {
    /** The pages that most links lead to, a link from each page counted once. */
    async listMostLinked(spaceId: string, limit: number): Promise<SpaceOverview['most_linked']> {
      const { rows } = await db.query<SpaceOverview['most_linked'][number]>(
        `select pages.id, pages.title, linked.count
         from (
           select to_id, count(distinct from_id)::integer as count
           from links
           where space_id = $1 and to_type = 'page' and to_id <> from_id
           group by to_id
           having count(distinct from_id) > 1
           order by count desc, to_id
           limit 3 * $2
         ) as linked
         join pages on pages.id = linked.to_id and pages.deleted_at is null
         order by linked.count desc, lower(pages.title)
         limit $2`,
        [spaceId, limit],
      )
      return rows
    },

    /** The pages at the top that have others below them, with how many at all depths, in the order of the tree. */
    async listFolders(spaceId: string, limit: number): Promise<SpaceOverview['folders']> {
      const { rows } = await db.query<SpaceOverview['folders'][number]>(
        `with recursive folders as (
           select id, title, row_number() over (order by position, lower(title), id) as place
           from pages
           where space_id = $1 and parent_id is null and deleted_at is null and exists (
             select from pages child where child.parent_id = pages.id and child.deleted_at is null
           )
           order by place
           limit $2
         ), below as (
           select id as folder, id from folders
           union all
           select below.folder, pages.id
           from below join pages on pages.parent_id = below.id and pages.deleted_at is null
         )
         select folders.id, folders.title, below.count
         from folders join (
           select folder, count(*)::integer - 1 as count from below group by folder
         ) as below on below.folder = folders.id
         order by folders.place`,
        [spaceId, limit],
      )
      return rows
    },

    async findSteps(spaceId: string): Promise<SpaceOverview['steps']> {
      const { rows } = await db.query<SpaceOverview['steps']>(
        `select exists (select from import_jobs where space_id = $1) as imported,
                exists (select from pending_changes where space_id = $1 and status <> 'pending') as decided`,
        [spaceId],
      )
      return rows[0]!
    },

    /** The types of which there is one, with `mail` and `research`. */
    async listContents(kinds: readonly Kind[], spaceId: string): Promise<string[]> {
      const here = 'where space_id = $1'
      const found = [
        ...kinds.map(({ type, table }) => [type, `from ${table} ${here} and deleted_at is null`]),
        ['mail', `from mail_accounts ${here}`],
        ['mail', `from mail_threads ${here}`],
        ['research', `from research_runs ${here}`],
      ].map(([type, rest]) => `select '${type}' as type where exists (select ${rest})`)
      const { rows } = await db.query<{ type: string }>(found.join(' union '), [spaceId])
      return rows.map(({ type }) => type).sort()
    },
  }
}

type GraphPage = { id: string; title: string; parent_id: string | null; tags: string[] }

type PageLink = { from_id: string; to_id: string }

/** Pages and the links among them. */
export function createGraphRepo(db: Queryable) {
  return {
    /** The pages of the Space, or those of them with one of the ids, by id. */
    async listPages(spaceId: string, ids: readonly string[] | null, limit: number): Promise<GraphPage[]> {
      const { rows } = await db.query<GraphPage>(
        `select pages.id, pages.title, pages.parent_id, coalesce(page_properties.tag_names, '{}') as tags
         from pages
         left join page_properties on page_properties.page_id = pages.id
         where pages.space_id = $1 and pages.deleted_at is null and ($2::uuid[] is null or pages.id = any($2))
         order by pages.id
         limit $3`,
        [spaceId, ids, limit],
      )
      return rows
    },

    /** Links from one page to another: all, or those from or to one of the pages. */
    async listLinks(spaceId: string, ids: readonly string[] | null, limit: number): Promise<PageLink[]> {
      const { rows } = await db.query<PageLink>(
        `select distinct from_id, to_id
         from links
         where space_id = $1 and from_type = 'page' and to_type = 'page' and from_id <> to_id
           and ($2::uuid[] is null or from_id = any($2) or to_id = any($2))
         order by from_id, to_id
         limit $3`,
        [spaceId, ids, limit],
      )
      return rows
    },
  }
}
